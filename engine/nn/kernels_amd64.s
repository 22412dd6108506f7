#include "textflag.h"

// Eight ones, then eight zeros: from (8-w)*4 on it is a mask of w lanes.
DATA lanes<>+0(SB)/8, $-1
DATA lanes<>+8(SB)/8, $-1
DATA lanes<>+16(SB)/8, $-1
DATA lanes<>+24(SB)/8, $-1
DATA lanes<>+32(SB)/8, $0
DATA lanes<>+40(SB)/8, $0
DATA lanes<>+48(SB)/8, $0
DATA lanes<>+56(SB)/8, $0
GLOBL lanes<>(SB), RODATA|NOPTR, $64

// The registers of tile:
//
//	Y0-Y11   the sums: two of row 0, two of row 1, ...
//	Y12, Y13 sixteen numbers of a row of b
//	Y14      one number of a
//	Y15      the mask of the last vector of a row
//	R8-R13   the rows of a; AX how far along them we are
//	SI       the row of b

#define ROW2(ptr, s0, s1) \
	VBROADCASTSS (ptr)(AX*1), Y14; \
	VFMADD231PS  Y12, Y14, s0;     \
	VFMADD231PS  Y13, Y14, s1

#define ROW1(ptr, s0) \
	VBROADCASTSS (ptr)(AX*1), Y14; \
	VFMADD231PS  Y12, Y14, s0

// NEXT goes on to the next row of a where there is one; a row too many is computed
// from the last one, and not stored.
#define NEXT(prev, ptr, count) \
	LEAQ    (prev)(BX*1), ptr; \
	CMPQ    R14, $count;       \
	CMOVQLT prev, ptr

#define STORE16(s0, s1) \
	VADDPS  (DI), s0, s0;   \
	VMOVUPS s0, (DI);       \
	VADDPS  32(DI), s1, s1; \
	VMOVUPS s1, 32(DI);     \
	DECQ    R14;            \
	JZ      done;           \
	ADDQ    BX, DI

#define STORE2(s0, s1) \
	VADDPS     (DI), s0, s0;      \
	VMOVUPS    s0, (DI);          \
	VMASKMOVPS 32(DI), Y15, Y14;  \
	VADDPS     Y14, s1, s1;       \
	VMASKMOVPS s1, Y15, 32(DI);   \
	DECQ       R14;               \
	JZ         done;              \
	ADDQ       BX, DI

#define STORE1(s0) \
	VMASKMOVPS (DI), Y15, Y14; \
	VADDPS     Y14, s0, s0;    \
	VMASKMOVPS s0, Y15, (DI);  \
	DECQ       R14;            \
	JZ         done;           \
	ADDQ       BX, DI

// func tile(rows, cols, k int, a *float32, ai, ak int, b *float32, bk int, c *float32, ci int)
TEXT ·tile(SB), NOSPLIT, $0-80
	MOVQ rows+0(FP), R14
	MOVQ a+24(FP), R8
	MOVQ ai+32(FP), BX

	NEXT(R8, R9, 2)
	NEXT(R9, R10, 3)
	NEXT(R10, R11, 4)
	NEXT(R11, R12, 5)
	NEXT(R12, R13, 6)

	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	VXORPS Y8, Y8, Y8
	VXORPS Y9, Y9, Y9
	VXORPS Y10, Y10, Y10
	VXORPS Y11, Y11, Y11

	// The mask of the last vector: cols lanes, or cols-8 of the second.
	MOVQ    cols+8(FP), BX
	MOVQ    BX, DI
	NEGQ    DI
	LEAQ    lanes<>(SB), SI
	LEAQ    64(SI), CX
	ADDQ    $32, SI
	CMPQ    BX, $8
	CMOVQLE SI, CX
	VMOVUPS (CX)(DI*4), Y15

	MOVQ k+16(FP), CX
	MOVQ ak+40(FP), DX
	MOVQ b+48(FP), SI
	MOVQ bk+56(FP), DI
	XORQ AX, AX
	CMPQ BX, $8
	JLE  loop1
	CMPQ BX, $16
	JEQ  loop16

loop2:
	VMOVUPS    (SI), Y12
	VMASKMOVPS 32(SI), Y15, Y13
	ROW2(R8, Y0, Y1)
	ROW2(R9, Y2, Y3)
	ROW2(R10, Y4, Y5)
	ROW2(R11, Y6, Y7)
	ROW2(R12, Y8, Y9)
	ROW2(R13, Y10, Y11)
	ADDQ DX, AX
	ADDQ DI, SI
	DECQ CX
	JNZ  loop2

	MOVQ c+64(FP), DI
	MOVQ ci+72(FP), BX
	STORE2(Y0, Y1)
	STORE2(Y2, Y3)
	STORE2(Y4, Y5)
	STORE2(Y6, Y7)
	STORE2(Y8, Y9)
	STORE2(Y10, Y11)

loop16:
	VMOVUPS (SI), Y12
	VMOVUPS 32(SI), Y13
	ROW2(R8, Y0, Y1)
	ROW2(R9, Y2, Y3)
	ROW2(R10, Y4, Y5)
	ROW2(R11, Y6, Y7)
	ROW2(R12, Y8, Y9)
	ROW2(R13, Y10, Y11)
	ADDQ DX, AX
	ADDQ DI, SI
	DECQ CX
	JNZ  loop16

	MOVQ c+64(FP), DI
	MOVQ ci+72(FP), BX
	STORE16(Y0, Y1)
	STORE16(Y2, Y3)
	STORE16(Y4, Y5)
	STORE16(Y6, Y7)
	STORE16(Y8, Y9)
	STORE16(Y10, Y11)

loop1:
	VMASKMOVPS (SI), Y15, Y12
	ROW1(R8, Y0)
	ROW1(R9, Y2)
	ROW1(R10, Y4)
	ROW1(R11, Y6)
	ROW1(R12, Y8)
	ROW1(R13, Y10)
	ADDQ DX, AX
	ADDQ DI, SI
	DECQ CX
	JNZ  loop1

	MOVQ c+64(FP), DI
	MOVQ ci+72(FP), BX
	STORE1(Y0)
	STORE1(Y2)
	STORE1(Y4)
	STORE1(Y6)
	STORE1(Y8)
	STORE1(Y10)

done:
	VZEROUPPER
	RET

// func axpyAVX(a float32, x, y []float32)
TEXT ·axpyAVX(SB), NOSPLIT, $0-56
	VBROADCASTSS a+0(FP), Y0
	MOVQ         x_base+8(FP), SI
	MOVQ         x_len+16(FP), CX
	MOVQ         y_base+32(FP), DI
	SUBQ         $32, CX
	JLT          axpy8s

axpy32:
	VMOVUPS     (SI), Y1
	VMOVUPS     32(SI), Y2
	VMOVUPS     64(SI), Y3
	VMOVUPS     96(SI), Y4
	VFMADD213PS (DI), Y0, Y1
	VFMADD213PS 32(DI), Y0, Y2
	VFMADD213PS 64(DI), Y0, Y3
	VFMADD213PS 96(DI), Y0, Y4
	VMOVUPS     Y1, (DI)
	VMOVUPS     Y2, 32(DI)
	VMOVUPS     Y3, 64(DI)
	VMOVUPS     Y4, 96(DI)
	ADDQ        $128, SI
	ADDQ        $128, DI
	SUBQ        $32, CX
	JGE         axpy32

axpy8s:
	ADDQ $24, CX // the rest, less 8
	JLT  axpy1s

axpy8:
	VMOVUPS     (SI), Y1
	VFMADD213PS (DI), Y0, Y1
	VMOVUPS     Y1, (DI)
	ADDQ        $32, SI
	ADDQ        $32, DI
	SUBQ        $8, CX
	JGE         axpy8

axpy1s:
	ADDQ $8, CX
	JZ   axpyDone

axpy1:
	VMOVSS      (SI), X1
	VFMADD213SS (DI), X0, X1
	VMOVSS      X1, (DI)
	ADDQ        $4, SI
	ADDQ        $4, DI
	DECQ        CX
	JNZ         axpy1

axpyDone:
	VZEROUPPER
	RET

// func dotAVX(x, y []float32) float32
TEXT ·dotAVX(SB), NOSPLIT, $0-52
	MOVQ   x_base+0(FP), SI
	MOVQ   x_len+8(FP), CX
	MOVQ   y_base+24(FP), DI
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	SUBQ   $32, CX
	JLT    dot8s

dot32:
	VMOVUPS     (SI), Y4
	VMOVUPS     32(SI), Y5
	VMOVUPS     64(SI), Y6
	VMOVUPS     96(SI), Y7
	VFMADD231PS (DI), Y4, Y0
	VFMADD231PS 32(DI), Y5, Y1
	VFMADD231PS 64(DI), Y6, Y2
	VFMADD231PS 96(DI), Y7, Y3
	ADDQ        $128, SI
	ADDQ        $128, DI
	SUBQ        $32, CX
	JGE         dot32

dot8s:
	ADDQ $24, CX
	JLT  dotSum

dot8:
	VMOVUPS     (SI), Y4
	VFMADD231PS (DI), Y4, Y0
	ADDQ        $32, SI
	ADDQ        $32, DI
	SUBQ        $8, CX
	JGE         dot8

dotSum:
	VADDPS       Y1, Y0, Y0
	VADDPS       Y3, Y2, Y2
	VADDPS       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VMOVHLPS     X0, X0, X1
	VADDPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VADDSS       X1, X0, X0
	ADDQ         $8, CX
	JZ           dotDone

dot1:
	VMOVSS      (SI), X1
	VFMADD231SS (DI), X1, X0
	ADDQ        $4, SI
	ADDQ        $4, DI
	DECQ        CX
	JNZ         dot1

dotDone:
	VMOVSS X0, ret+48(FP)
	VZEROUPPER
	RET

// The loops below go over three or four slices at once: eight numbers at a time,
// and the rest of them through the mask Y15.
//
// REST leaves the function where there is no rest of CX numbers, and makes the mask.
#define REST(done) \
	ADDQ    $8, CX;           \
	JZ      done;             \
	NEGQ    CX;               \
	LEAQ    lanes<>(SB), R12; \
	VMOVUPS 32(R12)(CX*4), Y15

// func mulAddAVX(dst, a, b []float32)
TEXT ·mulAddAVX(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ a_len+32(FP), CX
	MOVQ b_base+48(FP), DX
	XORQ AX, AX
	SUBQ $8, CX
	JLT  mulAddRest

mulAdd8:
	VMOVUPS     (SI)(AX*4), Y0
	VMOVUPS     (DI)(AX*4), Y1
	VFMADD231PS (DX)(AX*4), Y0, Y1
	VMOVUPS     Y1, (DI)(AX*4)
	ADDQ        $8, AX
	SUBQ        $8, CX
	JGE         mulAdd8

mulAddRest:
	REST(mulAddDone)
	VMASKMOVPS  (SI)(AX*4), Y15, Y0
	VMASKMOVPS  (DX)(AX*4), Y15, Y2
	VMASKMOVPS  (DI)(AX*4), Y15, Y1
	VFMADD231PS Y2, Y0, Y1
	VMASKMOVPS  Y1, Y15, (DI)(AX*4)

mulAddDone:
	VZEROUPPER
	RET

// func reluAVX(dst, a []float32)
TEXT ·reluAVX(SB), NOSPLIT, $0-48
	MOVQ   dst_base+0(FP), DI
	MOVQ   a_base+24(FP), SI
	MOVQ   a_len+32(FP), CX
	XORQ   AX, AX
	VXORPS Y2, Y2, Y2
	SUBQ   $8, CX
	JLT    reluRest

relu8:
	VMAXPS  (SI)(AX*4), Y2, Y0 // in this order, what is no number stays none
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ    $8, AX
	SUBQ    $8, CX
	JGE     relu8

reluRest:
	REST(reluDone)
	VMASKMOVPS (SI)(AX*4), Y15, Y0
	VMAXPS     Y0, Y2, Y0
	VMASKMOVPS Y0, Y15, (DI)(AX*4)

reluDone:
	VZEROUPPER
	RET

// func addPositiveAVX(dst, a, b []float32)
TEXT ·addPositiveAVX(SB), NOSPLIT, $0-72
	MOVQ   dst_base+0(FP), DI
	MOVQ   a_base+24(FP), SI
	MOVQ   a_len+32(FP), CX
	MOVQ   b_base+48(FP), DX
	XORQ   AX, AX
	VXORPS Y2, Y2, Y2
	SUBQ   $8, CX
	JLT    addPositiveRest

addPositive8:
	VCMPPS  $17, (DX)(AX*4), Y2, Y0 // 0 < b
	VANDPS  (SI)(AX*4), Y0, Y0
	VADDPS  (DI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ    $8, AX
	SUBQ    $8, CX
	JGE     addPositive8

addPositiveRest:
	REST(addPositiveDone)
	VMASKMOVPS (DX)(AX*4), Y15, Y3
	VCMPPS     $17, Y3, Y2, Y0
	VMASKMOVPS (SI)(AX*4), Y15, Y3
	VANDPS     Y3, Y0, Y0
	VMASKMOVPS (DI)(AX*4), Y15, Y3
	VADDPS     Y3, Y0, Y0
	VMASKMOVPS Y0, Y15, (DI)(AX*4)

addPositiveDone:
	VZEROUPPER
	RET

// MOMENTS computes an update from the gradient Y0, with the old means in Y1 and
// Y2: the new ones there, and in Y0 what is taken from the weight.
#define MOMENTS \
	VMULPS      Y8, Y0, Y0;  \
	VSUBPS      Y1, Y0, Y3;  \
	VFMADD231PS Y3, Y9, Y1;  \
	VMULPS      Y0, Y0, Y0;  \
	VSUBPS      Y2, Y0, Y0;  \
	VFMADD231PS Y0, Y10, Y2; \
	VSQRTPS     Y2, Y0;      \
	VADDPS      Y11, Y0, Y0; \
	VDIVPS      Y0, Y1, Y0;  \
	VMULPS      Y12, Y0, Y0

// func adamAVX(w, m, v, g []float32, s *adamStep)
TEXT ·adamAVX(SB), NOSPLIT, $0-104
	MOVQ         w_base+0(FP), DI
	MOVQ         w_len+8(FP), CX
	MOVQ         m_base+24(FP), SI
	MOVQ         v_base+48(FP), DX
	MOVQ         g_base+72(FP), BX
	MOVQ         s+96(FP), R8
	VBROADCASTSS 0(R8), Y8   // scale
	VBROADCASTSS 4(R8), Y9   // 1 - beta1
	VBROADCASTSS 8(R8), Y10  // 1 - beta2
	VBROADCASTSS 12(R8), Y11 // epsilon
	VBROADCASTSS 16(R8), Y12 // rate
	XORQ         AX, AX
	SUBQ         $8, CX
	JLT          adamRest

adam8:
	VMOVUPS (BX)(AX*4), Y0
	VMOVUPS (SI)(AX*4), Y1
	VMOVUPS (DX)(AX*4), Y2
	VMOVUPS (DI)(AX*4), Y4
	MOMENTS
	VSUBPS  Y0, Y4, Y4
	VMOVUPS Y1, (SI)(AX*4)
	VMOVUPS Y2, (DX)(AX*4)
	VMOVUPS Y4, (DI)(AX*4)
	ADDQ    $8, AX
	SUBQ    $8, CX
	JGE     adam8

adamRest:
	REST(adamDone)
	VMASKMOVPS (BX)(AX*4), Y15, Y0
	VMASKMOVPS (SI)(AX*4), Y15, Y1
	VMASKMOVPS (DX)(AX*4), Y15, Y2
	VMASKMOVPS (DI)(AX*4), Y15, Y4
	MOMENTS
	VSUBPS     Y0, Y4, Y4
	VMASKMOVPS Y1, Y15, (SI)(AX*4)
	VMASKMOVPS Y2, Y15, (DX)(AX*4)
	VMASKMOVPS Y4, Y15, (DI)(AX*4)

adamDone:
	VZEROUPPER
	RET

// func gateAVX(dst, a []float32, factor float32)
TEXT ·gateAVX(SB), NOSPLIT, $0-52
	MOVQ         dst_base+0(FP), DI
	MOVQ         a_base+24(FP), SI
	MOVQ         a_len+32(FP), CX
	VBROADCASTSS factor+48(FP), Y4
	XORQ         AX, AX
	VXORPS       Y2, Y2, Y2
	SUBQ         $8, CX
	JLT          gateRest

gate8:
	VCMPPS  $17, (SI)(AX*4), Y2, Y0 // 0 < a
	VANDPS  (DI)(AX*4), Y0, Y0
	VMULPS  Y4, Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ    $8, AX
	SUBQ    $8, CX
	JGE     gate8

gateRest:
	REST(gateDone)
	VMASKMOVPS (SI)(AX*4), Y15, Y3
	VCMPPS     $17, Y3, Y2, Y0
	VMASKMOVPS (DI)(AX*4), Y15, Y3
	VANDPS     Y3, Y0, Y0
	VMULPS     Y4, Y0, Y0
	VMASKMOVPS Y0, Y15, (DI)(AX*4)

gateDone:
	VZEROUPPER
	RET

// DRAW goes to the next random numbers in Y5, and puts into Y0 what the eight
// numbers they are for are multiplied with.
#define DRAW \
	VPSLLD    $13, Y5, Y0;   \
	VPXOR     Y0, Y5, Y5;    \
	VPSRLD    $17, Y5, Y0;   \
	VPXOR     Y0, Y5, Y5;    \
	VPSLLD    $5, Y5, Y0;    \
	VPXOR     Y0, Y5, Y5;    \
	VPSRLD    $1, Y5, Y0;    \
	VPCMPGTD  Y6, Y0, Y0;    \
	VBLENDVPS Y0, Y7, Y8, Y0

// func addDrawnAVX(dst, a []float32, d *draw)
TEXT ·addDrawnAVX(SB), NOSPLIT, $0-56
	MOVQ         dst_base+0(FP), DI
	MOVQ         a_base+24(FP), SI
	MOVQ         a_len+32(FP), CX
	MOVQ         d+48(FP), DX
	VMOVDQU      (DX), Y5
	VPBROADCASTD 32(DX), Y6 // limit
	VBROADCASTSS 36(DX), Y7 // kept
	VBROADCASTSS 40(DX), Y8 // dropped
	XORQ         AX, AX
	SUBQ         $8, CX
	JLT          addDrawnRest

addDrawn8:
	DRAW
	VMOVUPS     (DI)(AX*4), Y1
	VFMADD231PS (SI)(AX*4), Y0, Y1
	VMOVUPS     Y1, (DI)(AX*4)
	ADDQ        $8, AX
	SUBQ        $8, CX
	JGE         addDrawn8

addDrawnRest:
	REST(addDrawnDone)
	DRAW
	VMASKMOVPS  (SI)(AX*4), Y15, Y3
	VMASKMOVPS  (DI)(AX*4), Y15, Y1
	VFMADD231PS Y3, Y0, Y1
	VMASKMOVPS  Y1, Y15, (DI)(AX*4)

addDrawnDone:
	VZEROUPPER
	RET

// The numbers of EXP: the ends of where it is computed, log2 e, ln 2 in two parts
// whose products with whole numbers are exact enough, the six coefficients of
// Cephes' expf (S. Moshier, expf.c), and 1.
DATA expNumbers<>+0(SB)/4, $0x42b0c0a5 // 88.3762626647949
DATA expNumbers<>+4(SB)/4, $0xc2aeac50 // -87.3365447504
DATA expNumbers<>+8(SB)/4, $0x3fb8aa3b // 1.4426950408889634
DATA expNumbers<>+12(SB)/4, $0x3f318000 // 0.693359375
DATA expNumbers<>+16(SB)/4, $0xb95e8083 // -0.00021219444
DATA expNumbers<>+20(SB)/4, $0x39506967 // 0.000198756915
DATA expNumbers<>+24(SB)/4, $0x3ab743ce // 0.0013981999507
DATA expNumbers<>+28(SB)/4, $0x3c088908 // 0.0083334519073
DATA expNumbers<>+32(SB)/4, $0x3d2aa9c1 // 0.041665795894
DATA expNumbers<>+36(SB)/4, $0x3e2aaaaa // 0.16666665459
DATA expNumbers<>+40(SB)/4, $0x3f000000 // 0.50000001201
DATA expNumbers<>+44(SB)/4, $0x3f800000 // 1.0
GLOBL expNumbers<>(SB), RODATA|NOPTR, $48

// EXP replaces Y0 by its exponential:
//
//	n = round(x·log2 e)   r = x − n·ln 2   e^x = 2^n·(1 + r + r²·polynomial(r))
//
// The bits of 1 and n, at the place of the exponent, added up are 2^n. What is below
// the low end becomes 0, what is above the high end e to the power of
// that, and what is no number stays none.
#define EXP \
	VCMPPS       $17, Y14, Y0, Y4;    \
	VMINPS       Y0, Y13, Y0;         \
	VMAXPS       Y0, Y14, Y0;         \
	VMULPS       Y12, Y0, Y1;         \
	VROUNDPS     $0, Y1, Y1;          \
	VFNMADD231PS Y11, Y1, Y0;         \
	VFNMADD231PS Y10, Y1, Y0;         \
	VCVTPS2DQ    Y1, Y1;              \
	VMOVAPS      Y9, Y2;              \
	VFMADD213PS  Y8, Y0, Y2;          \
	VFMADD213PS  Y7, Y0, Y2;          \
	VFMADD213PS  Y6, Y0, Y2;          \
	VFMADD213PS  Y5, Y0, Y2;          \
	VBROADCASTSS 40(DX), Y3;          \
	VFMADD213PS  Y3, Y0, Y2;          \
	VMULPS       Y0, Y0, Y3;          \
	VFMADD213PS  Y0, Y3, Y2;          \
	VBROADCASTSS 44(DX), Y3;          \
	VADDPS       Y3, Y2, Y2;          \
	VPSLLD       $23, Y1, Y1;         \
	VPADDD       Y3, Y1, Y1;          \
	VMULPS       Y1, Y2, Y0;          \
	VANDNPS      Y0, Y4, Y0

// func expAVX(dst, a []float32)
TEXT ·expAVX(SB), NOSPLIT, $0-48
	MOVQ         dst_base+0(FP), DI
	MOVQ         a_base+24(FP), SI
	MOVQ         a_len+32(FP), CX
	LEAQ         expNumbers<>(SB), DX
	VBROADCASTSS 0(DX), Y13
	VBROADCASTSS 4(DX), Y14
	VBROADCASTSS 8(DX), Y12
	VBROADCASTSS 12(DX), Y11
	VBROADCASTSS 16(DX), Y10
	VBROADCASTSS 20(DX), Y9
	VBROADCASTSS 24(DX), Y8
	VBROADCASTSS 28(DX), Y7
	VBROADCASTSS 32(DX), Y6
	VBROADCASTSS 36(DX), Y5
	XORQ         AX, AX
	SUBQ         $8, CX
	JLT          expRest

exp8:
	VMOVUPS (SI)(AX*4), Y0
	EXP
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ    $8, AX
	SUBQ    $8, CX
	JGE     exp8

expRest:
	REST(expDone)
	VMASKMOVPS (SI)(AX*4), Y15, Y0
	EXP
	VMASKMOVPS Y0, Y15, (DI)(AX*4)

expDone:
	VZEROUPPER
	RET
