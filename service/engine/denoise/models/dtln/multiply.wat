;; Multiplies a matrix by a vector, 16 columns at a time. wabt compiles this to `multiply.wasm`; a test compares them.
(module
	;; Pages of 64 KiB: the matrices need 61.
	(memory (export "memory") 65)
	;; Byte offsets of 32-bit floats; the columns are a multiple of 16.
	(func (export "multiply")
		(param $matrix i32) (param $vector i32) (param $product i32) (param $rows i32) (param $columns i32)
		(local $at i32) (local $end i32)
		(local $a v128) (local $b v128) (local $c v128) (local $d v128)
		(local.set $end (i32.add (local.get $vector) (i32.shl (local.get $columns) (i32.const 2))))
		(loop $row
			(local.set $a (v128.const f32x4 0 0 0 0))
			(local.set $b (local.get $a))
			(local.set $c (local.get $a))
			(local.set $d (local.get $a))
			(local.set $at (local.get $vector))
			(loop $column
				(local.set $a (f32x4.add (local.get $a) (f32x4.mul
					(v128.load (local.get $matrix)) (v128.load (local.get $at)))))
				(local.set $b (f32x4.add (local.get $b) (f32x4.mul
					(v128.load offset=16 (local.get $matrix)) (v128.load offset=16 (local.get $at)))))
				(local.set $c (f32x4.add (local.get $c) (f32x4.mul
					(v128.load offset=32 (local.get $matrix)) (v128.load offset=32 (local.get $at)))))
				(local.set $d (f32x4.add (local.get $d) (f32x4.mul
					(v128.load offset=48 (local.get $matrix)) (v128.load offset=48 (local.get $at)))))
				(local.set $matrix (i32.add (local.get $matrix) (i32.const 64)))
				(local.set $at (i32.add (local.get $at) (i32.const 64)))
				(br_if $column (i32.lt_u (local.get $at) (local.get $end))))
			(local.set $a (f32x4.add
				(f32x4.add (local.get $a) (local.get $b))
				(f32x4.add (local.get $c) (local.get $d))))
			(f32.store (local.get $product) (f32.add
				(f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
				(f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
			(local.set $product (i32.add (local.get $product) (i32.const 4)))
			(local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
			(br_if $row (local.get $rows)))))
