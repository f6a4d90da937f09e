import { Named } from '../../kit/named.tsx'

/** The configurations of an offer, as links by name. Shows ids while names load, and for deleted configurations. */
export function ConfigurationNames({ ids }: { ids: readonly string[] }) {
  return (
    <ul class="names">
      {ids.map((id) => (
        <li key={id}>
          <Named kind="configuration" id={id} />
        </li>
      ))}
    </ul>
  )
}
