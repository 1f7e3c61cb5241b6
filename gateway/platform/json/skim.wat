;; Finds where JSON values end, as strictly as JSON.parse but without building anything: see skimmer.ts, which calls it.
;;
;; The document lies in memory from 0 on, with at least 32 bytes behind it, of which the first is 0. No value goes on with a 0,
;; so nothing here looks for the end of the document. Each function takes the offset of the first byte of something and
;; answers the offset behind it, or -1 where the bytes are not JSON.
;;
;; skim.wasm is made of this file by `npm run build:skim`; a test compares them.
(module
  (import "document" "memory" (memory 1))

  (func $whiteSpace (param $at i32) (result i32)
    (local $byte i32)
    (loop $next
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.gt_u (local.get $byte) (i32.const 0x20)) (then (return (local.get $at))))
      ;; space, line feed, carriage return, tab: bits 32, 13, 10 and 9 of a mask; no other byte here is below 33
      (if (i64.eqz (i64.and
            (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $byte)))
            (i64.const 0x100002600)))
        (then (return (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next))
    (unreachable))

  (func $isHexDigit (param $byte i32) (result i32)
    (i32.or
      (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 10))
      ;; upper and lower case differ in one bit
      (i32.lt_u (i32.sub (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x61)) (i32.const 6))))

  ;; from the backslash on: \u and four hexadecimal digits
  (func $longEscape (param $at i32) (result i32)
    (select
      (i32.add (local.get $at) (i32.const 6))
      (i32.const -1)
      (i32.and
        (i32.eq (i32.load8_u offset=1 (local.get $at)) (i32.const 0x75))
        (i32.and
          (i32.and
            (call $isHexDigit (i32.load8_u offset=2 (local.get $at)))
            (call $isHexDigit (i32.load8_u offset=3 (local.get $at))))
          (i32.and
            (call $isHexDigit (i32.load8_u offset=4 (local.get $at)))
            (call $isHexDigit (i32.load8_u offset=5 (local.get $at))))))))

  (func $string (export "string") (param $at i32) (result i32)
    (local $bytes v128)
    (local $found i32)
    (local $place i32)
    (local $byte i32)
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)) (then (return (i32.const -1))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (loop $block
      ;; sixteen bytes at once: which are a quote, a backslash or a control character?
      (local.set $bytes (v128.load align=1 (local.get $at)))
      (local.set $found (i8x16.bitmask
        (v128.or
          (v128.or
            (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
            (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))
          (i8x16.lt_u (local.get $bytes) (i8x16.splat (i32.const 0x20))))))
      (loop $next
        (if (i32.eqz (local.get $found))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $block)))
        (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $found))))
        (local.set $byte (i32.load8_u (local.get $place)))
        (if (i32.eq (local.get $byte) (i32.const 0x22))
          (then (return (i32.add (local.get $place) (i32.const 1)))))
        (if (i32.ne (local.get $byte) (i32.const 0x5c)) (then (return (i32.const -1))))
        (local.set $byte (i32.load8_u offset=1 (local.get $place)))
        (if (select
              ;; b, f, n, r, t: the second, sixth, … letter
              (i32.and
                (i32.shr_u (i32.const 0x144044) (i32.and (local.get $byte) (i32.const 31)))
                (i32.const 1))
              ;; quote, backslash, slash
              (i32.or
                (i32.eq (local.get $byte) (i32.const 0x22))
                (i32.or
                  (i32.eq (local.get $byte) (i32.const 0x5c))
                  (i32.eq (local.get $byte) (i32.const 0x2f))))
              (i32.eq (i32.and (local.get $byte) (i32.const 0xe0)) (i32.const 0x60)))
          (then
            ;; the second byte of an escape that ends these sixteen is the first of the next
            (if (i32.eq (local.get $found) (i32.const 0x8000))
              (then
                (local.set $at (i32.add (local.get $at) (i32.const 17)))
                (br $block)))
            ;; neither byte of the escape is looked at again
            (local.set $found (i32.and
              (local.get $found)
              (i32.shl (i32.const -4) (i32.ctz (local.get $found)))))
            (br $next)))
        (local.set $at (call $longEscape (local.get $place)))
        (br_if $block (i32.ne (local.get $at) (i32.const -1)))))
    (i32.const -1))

  (func $digits (param $at i32) (result i32)
    (loop $next
      (if (i32.lt_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 0x30)) (i32.const 10))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $next))))
    (local.get $at))

  (func $number (param $at i32) (result i32)
    (local $start i32)
    (local $byte i32)
    ;; minus
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2d))
      (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (local.set $start (local.get $at))
    (local.set $at (call $digits (local.get $at)))
    (if (i32.eq (local.get $at) (local.get $start)) (then (return (i32.const -1))))
    ;; a zero before other digits
    (if (i32.and
          (i32.eq (i32.load8_u (local.get $start)) (i32.const 0x30))
          (i32.gt_u (i32.sub (local.get $at) (local.get $start)) (i32.const 1)))
      (then (return (i32.const -1))))
    ;; fraction
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2e))
      (then
        (local.set $start (i32.add (local.get $at) (i32.const 1)))
        (local.set $at (call $digits (local.get $start)))
        (if (i32.eq (local.get $at) (local.get $start)) (then (return (i32.const -1))))))
    ;; exponent: E or e, + or - or neither
    (if (i32.eq (i32.or (i32.load8_u (local.get $at)) (i32.const 0x20)) (i32.const 0x65))
      (then
        (local.set $byte (i32.load8_u offset=1 (local.get $at)))
        (local.set $start (i32.add
          (local.get $at)
          (select
            (i32.const 2)
            (i32.const 1)
            (i32.or
              (i32.eq (local.get $byte) (i32.const 0x2b))
              (i32.eq (local.get $byte) (i32.const 0x2d))))))
        (local.set $at (call $digits (local.get $start)))
        (if (i32.eq (local.get $at) (local.get $start)) (then (return (i32.const -1))))))
    (local.get $at))

  (func $object (param $at i32) (param $levels i32) (result i32)
    (local $byte i32)
    (if (i32.eqz (local.get $levels)) (then (return (i32.const -1))))
    (local.set $at (call $whiteSpace (i32.add (local.get $at) (i32.const 1))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x7d))
      (then (return (i32.add (local.get $at) (i32.const 1)))))
    (loop $member
      (local.set $at (call $string (local.get $at)))
      (if (i32.eq (local.get $at) (i32.const -1)) (then (return (i32.const -1))))
      (local.set $at (call $whiteSpace (local.get $at)))
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a)) (then (return (i32.const -1))))
      (local.set $at (call $value
        (call $whiteSpace (i32.add (local.get $at) (i32.const 1)))
        (i32.sub (local.get $levels) (i32.const 1))))
      (if (i32.eq (local.get $at) (i32.const -1)) (then (return (i32.const -1))))
      (local.set $at (call $whiteSpace (local.get $at)))
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.eq (local.get $byte) (i32.const 0x7d)) (then (return (local.get $at))))
      (if (i32.ne (local.get $byte) (i32.const 0x2c)) (then (return (i32.const -1))))
      (local.set $at (call $whiteSpace (local.get $at)))
      (br $member))
    (unreachable))

  (func $array (param $at i32) (param $levels i32) (result i32)
    (local $byte i32)
    (if (i32.eqz (local.get $levels)) (then (return (i32.const -1))))
    (local.set $at (call $whiteSpace (i32.add (local.get $at) (i32.const 1))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5d))
      (then (return (i32.add (local.get $at) (i32.const 1)))))
    (loop $element
      (local.set $at (call $value
        (local.get $at)
        (i32.sub (local.get $levels) (i32.const 1))))
      (if (i32.eq (local.get $at) (i32.const -1)) (then (return (i32.const -1))))
      (local.set $at (call $whiteSpace (local.get $at)))
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.eq (local.get $byte) (i32.const 0x5d)) (then (return (local.get $at))))
      (if (i32.ne (local.get $byte) (i32.const 0x2c)) (then (return (i32.const -1))))
      (local.set $at (call $whiteSpace (local.get $at)))
      (br $element))
    (unreachable))

  ;; $levels of nesting are allowed from here on; an object or array takes one
  (func $value (export "value") (param $at i32) (param $levels i32) (result i32)
    (local $byte i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.eq (local.get $byte) (i32.const 0x22)) (then (return (call $string (local.get $at)))))
    (if (i32.eq (local.get $byte) (i32.const 0x7b))
      (then (return (call $object (local.get $at) (local.get $levels)))))
    (if (i32.eq (local.get $byte) (i32.const 0x5b))
      (then (return (call $array (local.get $at) (local.get $levels)))))
    ;; "true", "null", and "alse" behind an f, as numbers whose lowest byte is the first letter
    (if (i32.eq (i32.load align=1 (local.get $at)) (i32.const 0x65757274))
      (then (return (i32.add (local.get $at) (i32.const 4)))))
    (if (i32.eq (i32.load align=1 (local.get $at)) (i32.const 0x6c6c756e))
      (then (return (i32.add (local.get $at) (i32.const 4)))))
    (if (i32.and
          (i32.eq (local.get $byte) (i32.const 0x66))
          (i32.eq (i32.load offset=1 align=1 (local.get $at)) (i32.const 0x65736c61)))
      (then (return (i32.add (local.get $at) (i32.const 5)))))
    (call $number (local.get $at))))
