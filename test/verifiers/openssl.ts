import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs openssl in a folder with these files. Returns its output or its error message. */
export async function openssl(words: string[], files: Record<string, string | Buffer> = {}): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-openssl-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content)
    const { stdout, stderr } = await run('openssl', words, { cwd: dir })
    return stdout + stderr
  } catch (error) {
    return `${(error as { stdout?: string }).stdout}${(error as { stderr?: string }).stderr}`
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Runs `openssl verify` with the strictest options: checks the chain up to the root, and the root's CRL. */
export async function verifyStrictly(
  { leaf, root, crl }: { leaf: string; root: string; crl: Buffer },
  at = new Date(),
): Promise<string> {
  const lines = crl.toString('base64').match(/.{1,64}/g) ?? []
  const crlPem = ['-----BEGIN X509 CRL-----', ...lines, '-----END X509 CRL-----', ''].join('\n')
  const seconds = String(Math.floor(at.getTime() / 1000))
  const options = ['-x509_strict', '-crl_check', '-auth_level', '2', '-attime', seconds, '-no-CApath', '-no-CAstore']
  const files = ['-CAfile', 'root.pem', '-CRLfile', 'crl.pem', 'leaf.pem']
  return openssl(['verify', ...options, ...files], { 'root.pem': root, 'leaf.pem': leaf, 'crl.pem': crlPem })
}
