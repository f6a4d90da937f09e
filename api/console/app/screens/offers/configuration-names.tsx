import { nameOfConfiguration, useConfigurations } from '../../kit/configurations.ts'
import { Id } from '../../kit/copy.tsx'
import { to } from '../../kit/url-state.ts'

/** The configurations of an offer, as links by name. Shows ids while names load, and for deleted configurations. */
export function ConfigurationNames({ ids }: { ids: readonly string[] }) {
  const { data: all = [] } = useConfigurations()
  return (
    <ul class="names">
      {ids.map((id) => {
        const found = all.find((each) => each.id === id)
        if (!found) return <Id key={id} value={id} />
        return (
          <li key={id}>
            <a href={to(`/configurations/${found.profile}/${id}`)}>{nameOfConfiguration(found)}</a>
          </li>
        )
      })}
    </ul>
  )
}
