/** A request of a screen. Its body is JSON without secrets. */
export interface LoggedRequest {
  method: string
  url: string
  body: string
}

/** The languages of the commands, in the order of the choice. */
export const languages = ['curl', 'Node.js', 'Python'] as const
export type CommandLanguage = (typeof languages)[number]

/** Returns a command that repeats a request. It reads the token from the environment variable TOKEN. */
export function snippetOf(language: CommandLanguage, { method, url, body }: LoggedRequest): string {
  switch (language) {
    case 'curl':
      return [
        'curl',
        ...(method === 'GET' ? [] : [`-X ${method}`]),
        quoted(url),
        '-H "Authorization: Bearer $TOKEN"',
        ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`] : []),
      ].join(' ')
    case 'Node.js':
      return [
        `const response = await fetch(${JSON.stringify(url)}, {`,
        ...(method === 'GET' ? [] : [`  method: '${method}',`]),
        `  headers: { Authorization: \`Bearer \${process.env.TOKEN}\`${body ? ", 'Content-Type': 'application/json'" : ''} },`,
        ...(body ? [`  body: ${JSON.stringify(body)},`] : []),
        '})',
        'console.log(response.status, await response.text())',
      ].join('\n')
    case 'Python':
      // A JSON string is a string of Python too.
      return [
        'import os, urllib.request',
        `request = urllib.request.Request(${JSON.stringify(url)}, method="${method}")`,
        'request.add_header("Authorization", "Bearer " + os.environ["TOKEN"])',
        ...(body
          ? [
              'request.add_header("Content-Type", "application/json")',
              `request.data = ${JSON.stringify(body)}.encode()`,
            ]
          : []),
        'with urllib.request.urlopen(request) as response:',
        '    print(response.status, response.read().decode())',
      ].join('\n')
  }
}

/** Quotes a text for a shell. Between single quotes only the quote itself needs escaping. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
