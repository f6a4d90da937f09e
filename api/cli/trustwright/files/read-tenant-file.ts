import jsonc from 'jsonc-parser'
import type { FileKind } from '../../../../shared/domain/tenancy/tenant-files.ts'
import type { LocalFileFault } from './faults.ts'
import type { ListedFile } from './list-folder.ts'
import { tryReadText } from './read-text.ts'
import { type FileContent, lineAt, type TenantFile } from './tenant-file.ts'

interface Read {
  tenantFile: TenantFile
  /** The fault of the whole file. Its content is empty then. */
  fault?: LocalFileFault
}

/** The kinds whose files can be a certificate in PEM. */
const certificateKinds: readonly FileKind[] = ['trusted issuer', 'wallet provider', 'iaca']

/** Reads the file of an object of a kind: JSON with comments, or PEM. */
export function readTenantFile(kind: FileKind, { name: file, realPath }: ListedFile): Read {
  const read = tryReadText(realPath)
  const text = 'text' in read ? read.text : ''
  if ('fault' in read) return { tenantFile: { file, text, content: {} }, fault: { file, message: read.fault } }
  if (!file.endsWith('.pem')) return readJsonText(file, text)
  if (certificateKinds.includes(kind)) return { tenantFile: { file, text, content: { certificatePem: text } } }
  return { tenantFile: { file, text, content: {} }, fault: { file, message: 'Must be JSON' } }
}

/** Reads the text of a file: a JSON object with comments. */
export function readJsonText(file: string, text: string): Read {
  const refused = (message: string, offset: number): Read => ({
    tenantFile: { file, text, content: {} },
    fault: { file, message, line: lineAt(text, offset) },
  })
  const errors: jsonc.ParseError[] = []
  const content: unknown = jsonc.parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) return refused(`Not JSON: ${wordsOf(error.error)}`, error.offset)
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    return refused('Must be a JSON object', 0)
  return { tenantFile: { file, text, content: content as FileContent } }
}

const words: Record<string, string> = {
  InvalidSymbol: 'names and texts have double quotes. Other values are numbers, true, false and null',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'the name of a member in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'the file must end after its object',
  InvalidCommentToken: 'this is not a comment',
  UnexpectedEndOfComment: 'the end of a comment is missing',
  UnexpectedEndOfString: 'the closing quote of a text is missing',
  UnexpectedEndOfNumber: 'the end of a number is missing',
  InvalidUnicode: '\\u must have four hexadecimal digits',
  InvalidEscapeCharacter: 'this escape does not exist. Write a backslash as \\\\',
  InvalidCharacter: 'a text must not contain line ends or control characters',
}

function wordsOf(error: jsonc.ParseErrorCode): string {
  return words[jsonc.printParseErrorCode(error)] ?? 'this cannot be read'
}
