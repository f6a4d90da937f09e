import { CopyButton, Id } from './copy.tsx'
import { type NamedKind, useNamed } from './names.ts'
import { to } from './url-state.ts'

/** An object by its name. The id is in the tooltip and behind "copy". Without a name it is the id. */
export function NameOrId(props: { name: string | undefined; id: string; href?: string | undefined }) {
  const { name, id, href } = props
  if (!name) return <Id value={id} href={href} />
  return (
    <span class="id named">
      {href ? (
        <a href={href} title={id}>
          {name}
        </a>
      ) : (
        <span title={id}>{name}</span>
      )}
      <CopyButton text={id} label={id} />
    </span>
  )
}

/** An object that another one names by its id. Loads its name, and links to its screen or to `href`. */
export function Named({ kind, id, href }: { kind: NamedKind; id: string; href?: string | undefined }) {
  const { name, path } = useNamed(kind, id) ?? {}
  return <NameOrId name={name} id={id} href={href ?? (path && to(path))} />
}
