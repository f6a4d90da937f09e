import { CopyButton, Id } from './copy.tsx'

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
