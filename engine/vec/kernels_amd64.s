#include "textflag.h"

// The products of four rows with one, two or three queries. Y0-Y11 are the sums:
// four of the first query, four of the second, ...
//
//	R8-R11       the four rows; AX how far along them we are, in bytes
//	DI, R12, R13 the queries, two bytes a number
//	DX           the bytes of a row, a multiple of 32
//	CX           fours of rows left
//
// A row is read half a vector at a time, widened to 16 bits, multiplied with the
// query's and added in pairs.

// FOUR sets the rows to the next four.
#define FOUR \
	MOVQ SI, R8;            \
	LEAQ (R8)(DX*1), R9;    \
	LEAQ (R9)(DX*1), R10;   \
	LEAQ (R10)(DX*1), R11;  \
	LEAQ (R11)(DX*1), SI;   \
	XORQ AX, AX

// SUM adds up the lanes of four sums and puts the four numbers into dst.
#define SUM(s0, s1, s2, s3, x0, x1, dst) \
	VPHADDD      s1, s0, s0; \
	VPHADDD      s3, s2, s2; \
	VPHADDD      s2, s0, s0; \
	VEXTRACTI128 $1, s0, x1; \
	VPADDD       x1, x0, x0; \
	VMOVDQU      x0, (dst);  \
	ADDQ         $16, dst

// AHEAD asks for the rows 2,048 bytes on: the four rows, 4·AX bytes of which are
// done after this step, one behind the other. The processor would ask by itself, but
// not past the end of a page; memory is read a third faster with it.
#define AHEAD \
	PREFETCHT0 2048(R8)(AX*4); \
	PREFETCHT0 2112(R8)(AX*4)

#define ONE(at, row, s0) \
	VPMOVSXBW at(row)(AX*1), Y13; \
	VPMADDWD  Y12, Y13, Y13;      \
	VPADDD    Y13, s0, s0

#define TWO(at, row, s0, s1) \
	VPMOVSXBW at(row)(AX*1), Y14; \
	VPMADDWD  Y12, Y14, Y15;      \
	VPADDD    Y15, s0, s0;        \
	VPMADDWD  Y13, Y14, Y14;      \
	VPADDD    Y14, s1, s1

#define THREE(at, at2, row, s0, s1, s2) \
	VPMOVSXBW at(row)(AX*1), Y12;       \
	VPMADDWD  at2(DI)(AX*2), Y12, Y13;  \
	VPADDD    Y13, s0, s0;              \
	VPMADDWD  at2(R12)(AX*2), Y12, Y14; \
	VPADDD    Y14, s1, s1;              \
	VPMADDWD  at2(R13)(AX*2), Y12, Y12; \
	VPADDD    Y12, s2, s2

// func products1AVX(dst *int32, rows *byte, n, stride int, q *int16)
TEXT ·products1AVX(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), BX
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), DX
	MOVQ q+32(FP), DI

rows1:
	FOUR
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3

loop1:
	AHEAD
	VMOVDQU (DI)(AX*2), Y12
	ONE(0, R8, Y0)
	ONE(0, R9, Y1)
	ONE(0, R10, Y2)
	ONE(0, R11, Y3)
	VMOVDQU 32(DI)(AX*2), Y12
	ONE(16, R8, Y0)
	ONE(16, R9, Y1)
	ONE(16, R10, Y2)
	ONE(16, R11, Y3)
	ADDQ    $32, AX
	CMPQ    AX, DX
	JLT     loop1
	SUM(Y0, Y1, Y2, Y3, X0, X1, BX)
	SUBQ    $4, CX
	JGT     rows1
	VZEROUPPER
	RET

// func products2AVX(dst0, dst1 *int32, rows *byte, n, stride int, q0, q1 *int16)
TEXT ·products2AVX(SB), NOSPLIT, $0-56
	MOVQ dst0+0(FP), BX
	MOVQ dst1+8(FP), R14
	MOVQ rows+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ stride+32(FP), DX
	MOVQ q0+40(FP), DI
	MOVQ q1+48(FP), R12

rows2:
	FOUR
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

loop2:
	AHEAD
	VMOVDQU (DI)(AX*2), Y12
	VMOVDQU (R12)(AX*2), Y13
	TWO(0, R8, Y0, Y4)
	TWO(0, R9, Y1, Y5)
	TWO(0, R10, Y2, Y6)
	TWO(0, R11, Y3, Y7)
	VMOVDQU 32(DI)(AX*2), Y12
	VMOVDQU 32(R12)(AX*2), Y13
	TWO(16, R8, Y0, Y4)
	TWO(16, R9, Y1, Y5)
	TWO(16, R10, Y2, Y6)
	TWO(16, R11, Y3, Y7)
	ADDQ    $32, AX
	CMPQ    AX, DX
	JLT     loop2
	SUM(Y0, Y1, Y2, Y3, X0, X1, BX)
	SUM(Y4, Y5, Y6, Y7, X4, X5, R14)
	SUBQ    $4, CX
	JGT     rows2
	VZEROUPPER
	RET

// func products3AVX(dst0, dst1, dst2 *int32, rows *byte, n, stride int, q0, q1, q2 *int16)
TEXT ·products3AVX(SB), NOSPLIT, $0-72
	MOVQ dst0+0(FP), BX
	MOVQ dst1+8(FP), R14
	MOVQ dst2+16(FP), R15
	MOVQ rows+24(FP), SI
	MOVQ n+32(FP), CX
	MOVQ stride+40(FP), DX
	MOVQ q0+48(FP), DI
	MOVQ q1+56(FP), R12
	MOVQ q2+64(FP), R13

rows3:
	FOUR
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11

loop3:
	AHEAD
	THREE(0, 0, R8, Y0, Y4, Y8)
	THREE(0, 0, R9, Y1, Y5, Y9)
	THREE(0, 0, R10, Y2, Y6, Y10)
	THREE(0, 0, R11, Y3, Y7, Y11)
	THREE(16, 32, R8, Y0, Y4, Y8)
	THREE(16, 32, R9, Y1, Y5, Y9)
	THREE(16, 32, R10, Y2, Y6, Y10)
	THREE(16, 32, R11, Y3, Y7, Y11)
	ADDQ $32, AX
	CMPQ AX, DX
	JLT  loop3
	SUM(Y0, Y1, Y2, Y3, X0, X1, BX)
	SUM(Y4, Y5, Y6, Y7, X4, X5, R14)
	SUM(Y8, Y9, Y10, Y11, X8, X9, R15)
	SUBQ $4, CX
	JGT  rows3
	VZEROUPPER
	RET

// LANES adds up the eight lanes of Y0 into AX.
#define LANES \
	VEXTRACTI128 $1, Y0, X1; \
	VPADDD       X1, X0, X0; \
	VPSHUFD      $0x4E, X0, X1; \
	VPADDD       X1, X0, X0; \
	VPSHUFD      $0xB1, X0, X1; \
	VPADDD       X1, X0, X0; \
	VMOVD        X0, AX

// func productAVX(row *byte, q *int16, stride int) int32
TEXT ·productAVX(SB), NOSPLIT, $0-28
	MOVQ  row+0(FP), SI
	MOVQ  q+8(FP), DI
	MOVQ  stride+16(FP), DX
	XORQ  AX, AX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

product32:
	VPMOVSXBW (SI)(AX*1), Y2
	VPMOVSXBW 16(SI)(AX*1), Y3
	VPMADDWD  (DI)(AX*2), Y2, Y2
	VPMADDWD  32(DI)(AX*2), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $32, AX
	CMPQ      AX, DX
	JLT       product32
	VPADDD    Y1, Y0, Y0
	LANES
	MOVL      AX, ret+24(FP)
	VZEROUPPER
	RET

// func withinAVX(mask *byte, products *int32, scale, norm, rest *float32, n int, a, b, limit float32)
TEXT ·withinAVX(SB), NOSPLIT, $0-60
	MOVQ         mask+0(FP), DI
	MOVQ         products+8(FP), SI
	MOVQ         scale+16(FP), R8
	MOVQ         norm+24(FP), R9
	MOVQ         rest+32(FP), R10
	MOVQ         n+40(FP), CX
	VBROADCASTSS a+48(FP), Y5
	VBROADCASTSS b+52(FP), Y6
	VBROADCASTSS limit+56(FP), Y7

within8:
	VCVTDQ2PS (SI), Y0
	VMULPS    (R8), Y0, Y0
	VMULPS    Y5, Y0, Y0
	VMOVUPS   (R9), Y1
	VSUBPS    Y0, Y1, Y1
	VMULPS    (R10), Y6, Y2
	VSUBPS    Y2, Y1, Y1
	VCMPPS    $0x1A, Y7, Y1, Y1 // not above the limit, nor anything but a number
	VMOVMSKPS Y1, AX
	MOVB      AX, (DI)
	INCQ      DI
	ADDQ      $32, SI
	ADDQ      $32, R8
	ADDQ      $32, R9
	ADDQ      $32, R10
	SUBQ      $8, CX
	JGT       within8
	VZEROUPPER
	RET
