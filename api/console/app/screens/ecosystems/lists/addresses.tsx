import { Facts } from '../../../kit/bits.tsx'
import { CopyButton } from '../../../kit/copy.tsx'
import type { Text } from '../../../kit/language.ts'

/** Addresses that anybody may read, to be copied. */
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
