#include "textflag.h"

// AHEAD asks for the lines of the row whose address is at ptr.
#define AHEAD(ptr, again) \
	MOVQ ptr, R11;          \
	LEAQ (R11)(R8*1), R12;  \
	ANDQ $~63, R11;         \
again:                      \
	PREFETCHT0 (R11);       \
	ADDQ $64, R11;          \
	CMPQ R11, R12;          \
	JLT  again

// func pickedAVX(dst *int32, rows **byte, m, stride int, q *int16)
//
//	DI dst, SI rows, CX rows left, DX q   R8 stride
//	R9 the row, R10 how far along it we are
//	Y0, Y1 sums; Y2, Y3 sixteen numbers each
TEXT ·pickedAVX(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ m+16(FP), CX
	MOVQ stride+24(FP), R8
	MOVQ q+32(FP), DX

	// The first rows, up to four; later ones are asked for four rows ahead.
	XORQ R13, R13
first:
	AHEAD((SI)(R13*8), lines0)
	INCQ R13
	CMPQ R13, CX
	JGE  row
	CMPQ R13, $4
	JLT  first

row:
	CMPQ CX, $4
	JLE  last
	AHEAD(32(SI), lines1)
last:
	MOVQ  (SI), R9
	XORQ  R10, R10
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
numbers:
	VPMOVSXBW (R9)(R10*1), Y2
	VPMOVSXBW 16(R9)(R10*1), Y3
	VPMADDWD  (DX)(R10*2), Y2, Y2
	VPMADDWD  32(DX)(R10*2), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $32, R10
	CMPQ      R10, R8
	JLT       numbers

	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (DI)
	ADDQ         $4, DI
	ADDQ         $8, SI
	DECQ         CX
	JNZ          row
	VZEROUPPER
	RET
