;; What the layers of the networks compute. wabt compiles this to `layers.wasm`; a test compares them.
;; All places are byte offsets of 32-bit floats.
(module
	;; Pages of 64 KiB: the matrices, their vectors and their products need 61.
	(memory (export "memory") 61)

	;; Multiplies a matrix by a vector. The rows lie in blocks of 32, column after column, and the product is as long
	;; as all blocks. Whether a product is rounded before it is added depends on the processor.
	(func (export "multiply")
		(param $matrix i32) (param $vector i32) (param $product i32) (param $blocks i32) (param $columns i32)
		(local $at i32) (local $end i32) (local $value v128)
		(local $a v128) (local $b v128) (local $c v128) (local $d v128)
		(local $e v128) (local $f v128) (local $g v128) (local $h v128)
		(local.set $end (i32.add (local.get $vector) (i32.shl (local.get $columns) (i32.const 2))))
		(loop $block
			(local.set $a (v128.const f32x4 0 0 0 0))
			(local.set $b (local.get $a))
			(local.set $c (local.get $a))
			(local.set $d (local.get $a))
			(local.set $e (local.get $a))
			(local.set $f (local.get $a))
			(local.set $g (local.get $a))
			(local.set $h (local.get $a))
			(local.set $at (local.get $vector))
			(loop $column
				(local.set $value (v128.load32_splat (local.get $at)))
				(local.set $a (f32x4.relaxed_madd
					(local.get $value) (v128.load (local.get $matrix)) (local.get $a)))
				(local.set $b (f32x4.relaxed_madd
					(local.get $value) (v128.load offset=16 (local.get $matrix)) (local.get $b)))
				(local.set $c (f32x4.relaxed_madd
					(local.get $value) (v128.load offset=32 (local.get $matrix)) (local.get $c)))
				(local.set $d (f32x4.relaxed_madd
					(local.get $value) (v128.load offset=48 (local.get $matrix)) (local.get $d)))
				(local.set $e (f32x4.relaxed_madd
					(local.get $value) (v128.load offset=64 (local.get $matrix)) (local.get $e)))
				(local.set $f (f32x4.relaxed_madd
					(local.get $value) (v128.load offset=80 (local.get $matrix)) (local.get $f)))
				(local.set $g (f32x4.relaxed_madd
					(local.get $value) (v128.load offset=96 (local.get $matrix)) (local.get $g)))
				(local.set $h (f32x4.relaxed_madd
					(local.get $value) (v128.load offset=112 (local.get $matrix)) (local.get $h)))
				(local.set $matrix (i32.add (local.get $matrix) (i32.const 128)))
				(local.set $at (i32.add (local.get $at) (i32.const 4)))
				(br_if $column (i32.lt_u (local.get $at) (local.get $end))))
			(v128.store (local.get $product) (local.get $a))
			(v128.store offset=16 (local.get $product) (local.get $b))
			(v128.store offset=32 (local.get $product) (local.get $c))
			(v128.store offset=48 (local.get $product) (local.get $d))
			(v128.store offset=64 (local.get $product) (local.get $e))
			(v128.store offset=80 (local.get $product) (local.get $f))
			(v128.store offset=96 (local.get $product) (local.get $g))
			(v128.store offset=112 (local.get $product) (local.get $h))
			(local.set $product (i32.add (local.get $product) (i32.const 128)))
			(local.set $blocks (i32.sub (local.get $blocks) (i32.const 1)))
			(br_if $block (local.get $blocks))))

	;; A step of long short-term memory (Hochreiter and Schmidhuber 1997) with 128 units. Takes the sums of the input,
	;; forget, cell and output gates. Updates the cells, and overwrites the first 128 sums with what the layer says.
	(func (export "remember") (param $gates i32) (param $cells i32)
		(local $end i32) (local $cell v128)
		(local.set $end (i32.add (local.get $gates) (i32.const 512)))
		(loop $units
			(local.set $cell (f32x4.add
				(f32x4.mul
					(call $sigmoid (v128.load (local.get $gates)))
					(call $tanh (v128.load offset=1024 (local.get $gates))))
				(f32x4.mul
					(call $sigmoid (v128.load offset=512 (local.get $gates)))
					(v128.load (local.get $cells)))))
			(v128.store (local.get $cells) (local.get $cell))
			(v128.store (local.get $gates) (f32x4.mul
				(call $sigmoid (v128.load offset=1536 (local.get $gates)))
				(call $tanh (local.get $cell))))
			(local.set $gates (i32.add (local.get $gates) (i32.const 16)))
			(local.set $cells (i32.add (local.get $cells) (i32.const 16)))
			(br_if $units (i32.lt_u (local.get $gates) (local.get $end)))))

	;; Replaces values with their sigmoid, four at a time.
	(func (export "squash") (param $values i32) (param $fours i32)
		(loop $four
			(v128.store (local.get $values) (call $sigmoid (v128.load (local.get $values))))
			(local.set $values (i32.add (local.get $values) (i32.const 16)))
			(local.set $fours (i32.sub (local.get $fours) (i32.const 1)))
			(br_if $four (local.get $fours))))

	;; Within 2.2e-7, so very small values lose digits.
	(func $tanh (param $x v128) (result v128)
		(f32x4.sub
			(f32x4.mul
				(v128.const f32x4 2 2 2 2)
				(call $sigmoid (f32x4.add (local.get $x) (local.get $x))))
			(v128.const f32x4 1 1 1 1)))

	;; 1 / (1 + e^-x), within 1.1e-7. e^-x is a power of 2: the whole part of its exponent goes into the float's own,
	;; and the rest, within a half of 0, into a Taylor series.
	(func $sigmoid (param $x v128) (result v128)
		(local $rest v128) (local $whole v128) (local $power v128)
		(local.set $rest (f32x4.max (v128.const f32x4 -126 -126 -126 -126) (f32x4.min
			(v128.const f32x4 126 126 126 126)
			(f32x4.mul (local.get $x) (v128.const f32x4 -1.442695 -1.442695 -1.442695 -1.442695)))))
		(local.set $whole (f32x4.nearest (local.get $rest)))
		(local.set $rest (f32x4.sub (local.get $rest) (local.get $whole)))
		(local.set $power (v128.const f32x4 1.540353e-4 1.540353e-4 1.540353e-4 1.540353e-4))
		(local.set $power (f32x4.add (f32x4.mul (local.get $power) (local.get $rest))
			(v128.const f32x4 1.3333558e-3 1.3333558e-3 1.3333558e-3 1.3333558e-3)))
		(local.set $power (f32x4.add (f32x4.mul (local.get $power) (local.get $rest))
			(v128.const f32x4 9.618129e-3 9.618129e-3 9.618129e-3 9.618129e-3)))
		(local.set $power (f32x4.add (f32x4.mul (local.get $power) (local.get $rest))
			(v128.const f32x4 5.5504109e-2 5.5504109e-2 5.5504109e-2 5.5504109e-2)))
		(local.set $power (f32x4.add (f32x4.mul (local.get $power) (local.get $rest))
			(v128.const f32x4 0.24022651 0.24022651 0.24022651 0.24022651)))
		(local.set $power (f32x4.add (f32x4.mul (local.get $power) (local.get $rest))
			(v128.const f32x4 0.69314718 0.69314718 0.69314718 0.69314718)))
		(local.set $power (f32x4.add (f32x4.mul (local.get $power) (local.get $rest))
			(v128.const f32x4 1 1 1 1)))
		(f32x4.div
			(v128.const f32x4 1 1 1 1)
			(f32x4.add (v128.const f32x4 1 1 1 1) (f32x4.mul
				(local.get $power)
				(i32x4.shl
					(i32x4.add (i32x4.trunc_sat_f32x4_s (local.get $whole)) (v128.const i32x4 127 127 127 127))
					(i32.const 23)))))))
