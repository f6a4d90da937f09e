import { CopyButton, Id } from './copy.tsx'
import { type NamedKind, useNamed } from './names.ts'
import { to } from './url-state.ts'

/** An object by its name. The tooltip has the whole name and the id, which is also behind "copy". Without a name it is the id. */
export function NameOrId(props: { name: string | undefined; id: string; href?: string | undefined }) {
  const { name, id, href } = props
  if (!name) return <Id value={id} href={href} />
  const title = `${name}\n${id}`
  return (
    <span class="id named">
      {href ? (
        <a href={href} title={title}>
          {name}
        </a>
      ) : (
        <span title={title}>{name}</span>
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
