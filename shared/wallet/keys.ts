/** The key of a wallet. Its private part cannot be exported. */
export interface WalletKey {
  publicJwk: { kty: string; crv: string; x: string; y: string }
  sign(header: object, payload: object): Promise<string>
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const

export async function newKey(): Promise<WalletKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ['sign', 'verify'])
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey)
  return {
    publicJwk: { kty, crv, x, y },
    async sign(header, payload) {
      const text = [{ alg: 'ES256', ...header }, payload]
        .map((part) => toBase64Url(utf8(JSON.stringify(part))))
        .join('.')
      const signature = await crypto.subtle.sign({ ...curve, hash: 'SHA-256' }, privateKey, utf8(text))
      return `${text}.${toBase64Url(new Uint8Array(signature))}`
    },
  }
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

export function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
}

export async function sha256(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))))
}

export function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
}
