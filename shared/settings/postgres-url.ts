const form = /^(?<start>postgres(?:ql)?:\/\/(?:[^@/?]*@)?)(?<hosts>[^@/?]*)(?<end>[/?].*)?$/s

/**
 * Returns a URL for each host of `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE`, as libpq defines it. Returns an empty list if the
 * text is no such URL.
 */
export function urlsOfHosts(text: string): string[] {
  if (!/^postgres(ql)?:/.test(text)) return []
  const { start = '', hosts = '', end = '' } = form.exec(text)?.groups ?? {}
  const urls = hosts.includes(',')
    ? hosts.split(',').map((host) => (host === '' ? '' : `${start}${host}${end}`))
    : [text]
  return urls.every((url) => URL.canParse(url)) ? urls : []
}
