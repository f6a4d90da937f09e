import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Reading } from './use-read.ts'

type Children<Data> = (data: Data, etag: string | undefined, showTheirs: () => void) => ComponentChildren

/**
 * For a form that changes what was read: it begins with the version that is there when it comes up, and stays with that whatever is read
 * meanwhile. `showTheirs` reads again, and begins anew with what is there now.
 */
export function Versioned<Data>({ of, children }: { of: Reading<Data>; children: Children<Data> }) {
  const [turn, setTurn] = useState(0)
  const showTheirs = () => void of.reload().then(() => setTurn(turn + 1))
  if (of.data === undefined) return null
  return <Version key={turn} data={of.data} etag={of.etag} {...{ showTheirs, children }} />
}

function Version<Data>(props: {
  data: Data
  etag: string | undefined
  showTheirs: () => void
  children: Children<Data>
}) {
  const [{ data, etag }] = useState(props)
  return <>{props.children(data, etag, props.showTheirs)}</>
}
