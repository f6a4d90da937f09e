import { FF1 } from '@noble/ciphers/ff1.js'

/**
 * Creates a keyed permutation of the numbers from 0 below `size`. Without the key, known results do not reveal other results. It uses
 * FF1 (NIST SP 800-38G) on the decimal digits. A result that is too large is encrypted again until it fits, so that the permutation is
 * one-to-one.
 */
export function permutation(key: Uint8Array, size: number): (index: number) => number {
  // FF1 requires a domain of at least a million numbers (SP 800-38G Rev. 1, section 4.4).
  const digits = Math.max(6, String(size - 1).length)
  const cipher = FF1(10, key)
  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index >= size) throw new RangeError(`${index} is not below ${size}`)
    let number = index
    do number = Number(cipher.encrypt([...String(number).padStart(digits, '0')].map(Number)).join(''))
    while (number >= size)
    return number
  }
}
