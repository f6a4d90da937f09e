import { FF1 } from '@noble/ciphers/ff1.js'

/**
 * The one-to-one order that a key gives to the numbers from 0 below `size`: who does not have the key cannot tell from the
 * numbers of some places those of the places before and after. FF1 (NIST SP 800-38G) of the decimal digits; a result that
 * is too large is encrypted again until one fits, so that each place has a number of its own.
 */
export function permutation(key: Uint8Array, size: number): (place: number) => number {
  // Fewer than a million numbers would be too few for FF1 to hide anything (SP 800-38G Rev. 1, section 4.4).
  const digits = Math.max(6, String(size - 1).length)
  const cipher = FF1(10, key)
  return (place) => {
    if (!Number.isInteger(place) || place < 0 || place >= size) throw new RangeError(`${place} is not below ${size}`)
    let number = place
    do number = Number(cipher.encrypt([...String(number).padStart(digits, '0')].map(Number)).join(''))
    while (number >= size)
    return number
  }
}
