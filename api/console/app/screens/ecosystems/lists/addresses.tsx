import { CopyButton } from '../../../kit/copy.tsx'
import { Facts } from '../../../kit/elements.tsx'
import type { Text } from '../../../kit/language.ts'

/** Public addresses with copy buttons. */
export function Addresses({ of }: { of: readonly (readonly [Text, string])[] }) {
  return (
    <Facts
      of={of.map(([name, path]) => {
        const url = location.origin + path
        return [
          name,
          <span key={path} class="address">
            <code>{url}</code>
            <CopyButton text={url} label={url} />
          </span>,
        ]
      })}
    />
  )
}
