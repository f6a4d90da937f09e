/** Returns a text that can contain a name from a file, without the characters that control a terminal or hide a part of the text. */
export function terminalText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '?')
}
