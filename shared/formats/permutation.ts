import { createCipheriv } from 'node:crypto'

/**
 * The numbers of the places from `from` and before `to`, in the one-to-one order that a key gives to the numbers from 0 below
 * `size`: who does not have the key cannot tell from the numbers of some places those of the places before and after. FF1
 * (NIST SP 800-38G) of the decimal digits; a result that is too large is encrypted again until one fits, so that each place
 * has a number of its own. Many places take little longer than one.
 */
export function numbersOf(key: Uint8Array, size: number, { from, to }: { from: number; to: number }): number[] {
  if (from < 0 || to > size) throw new RangeError(`places from ${from} to ${to} are not all below ${size}`)
  // Fewer than a million numbers would be too few for FF1 to hide anything (SP 800-38G Rev. 1, section 4.4).
  const encrypt = createFf1(key, Math.max(6, String(size - 1).length))
  const numbers = encrypt(Array.from({ length: to - from }, (_, at) => from + at))
  for (;;) {
    const places = [...numbers.keys()].filter((place) => (numbers[place] ?? 0) >= size)
    if (places.length === 0) return numbers
    const again = encrypt(places.map((place) => numbers[place] ?? 0))
    for (const [position, place] of places.entries()) numbers[place] = again[position] ?? 0
  }
}

const blockBytes = 16
const rounds = 10

/**
 * FF1.Encrypt (SP 800-38G, section 5.1, algorithm 7) of numbers of so many decimal digits, at most 18, without a tweak. It is
 * here because libraries encrypt one number after the other, in JavaScript: a round of all of them is one call of AES.
 */
function createFf1(key: Uint8Array, digits: number): (numbers: number[]) => number[] {
  const aes = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false)
  const leftDigits = Math.floor(digits / 2)
  const rightDigits = digits - leftDigits
  // Step 3. Up to nine digits are at most four bytes, with which S is the first eight bytes of R.
  const numberBytes = Math.ceil(Math.ceil(rightDigits * Math.log2(10)) / 8)
  // Step 5, P, which is the first block of all messages that PRF is computed of (CBC-MAC, algorithm 6).
  const first = aes.update(Buffer.from([1, 2, 1, 0, 0, 10, rounds, leftDigits, 0, 0, 0, digits, 0, 0, 0, 0]))

  /** Step 6 i to iv, and y of vi: of each right half. */
  function round(number: number, rights: number[], modulus: number): number[] {
    const blocks = Buffer.alloc(rights.length * blockBytes, first)
    for (const [position, right] of rights.entries()) {
      const end = (position + 1) * blockBytes
      blocks.writeUInt32BE((blocks.readUInt32BE(end - 4) ^ right) >>> 0, end - 4)
      const at = end - numberBytes - 1
      blocks.writeUInt8(blocks.readUInt8(at) ^ number, at)
    }
    const encrypted = aes.update(blocks)
    return rights.map((_, position) => Number(encrypted.readBigUInt64BE(position * blockBytes) % BigInt(modulus)))
  }

  return (numbers) => {
    let lefts = numbers.map((number) => Math.floor(number / 10 ** rightDigits))
    let rights = numbers.map((number) => number % 10 ** rightDigits)
    for (let number = 0; number < rounds; number++) {
      const modulus = 10 ** (number % 2 === 0 ? leftDigits : rightDigits)
      const added = round(number, rights, modulus)
      const next = lefts.map((left, position) => (left + (added[position] ?? 0)) % modulus)
      lefts = rights
      rights = next
    }
    return lefts.map((left, position) => left * 10 ** rightDigits + (rights[position] ?? 0))
  }
}
