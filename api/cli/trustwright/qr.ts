/** Returns a QR code for a terminal. Its package is loaded on demand, because the help does not need it. */
export async function qrOf(text: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  return renderUnicodeCompact(text)
}
