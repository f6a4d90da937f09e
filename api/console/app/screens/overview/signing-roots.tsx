import { Facts, Section } from '../../kit/elements.tsx'
import { KeyPlace } from '../../kit/key-place.tsx'
import { say } from '../../kit/language.ts'
import { readSigningRoots, rootTexts, type SigningRoot } from '../../kit/signing-roots.ts'
import { Shown } from '../../kit/states.tsx'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { When } from '../../kit/when.tsx'

/** The root certificates that sign now, with their times. */
export function SigningRoots() {
  const roots = useRead(() => readSigningRoots(), [], { everyMs: 60_000 })
  return (
    <Section title={say(rootTexts.title)}>
      <Shown of={roots}>
        {({ data }) => (
          <Facts of={data.map((root) => [rootTexts[root.profile], <Root key={root.profile} of={root} />])} />
        )}
      </Shown>
    </Section>
  )
}

function Root({ of: { iacaId, commonName, country, since, until, provider } }: { of: SigningRoot }) {
  if (iacaId === undefined) {
    return (
      <>
        {say(rootTexts.none)} <a href={to('/certificates')}>{say(rootTexts.mend)}</a>
      </>
    )
  }
  return (
    <>
      <a href={to(`/certificates/iaca/${iacaId}`)}>{commonName}</a> ({country}){' '}
      {since && (
        <>
          {say(rootTexts.since)} <When at={since} />{' '}
        </>
      )}
      {say(rootTexts.until)} <When at={until} /> <KeyPlace provider={provider} />
    </>
  )
}
