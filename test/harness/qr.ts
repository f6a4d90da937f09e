import { decode as decodePng } from 'fast-png'
import jsQR from 'jsqr'

/** Decodes the QR code in a PNG with an independent decoder. Returns undefined if it finds none. */
export function readQr(png: Uint8Array): string | undefined {
  const { width, height, channels, data } = decodePng(png)
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let at = 0; at < width * height; at++) {
    const [red = 0, green = red, blue = red] = data.subarray(at * channels, at * channels + Math.min(channels, 3))
    pixels.set([red, green, blue, 255], at * 4)
  }
  // Boundary: the package is CommonJS, but its types declare a module.
  const read = jsQR as unknown as typeof jsQR.default
  return read(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data
}
