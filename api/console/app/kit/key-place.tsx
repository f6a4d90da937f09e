import { Badge } from './elements.tsx'
import { say, type Text, texts, verbatim } from './language.ts'

export const keyPlaceTexts = texts('keyPlace')

/** Returns the name of a provider of private keys. */
export function textOfProvider(provider: string): Text {
  return provider === 'software' ? keyPlaceTexts.software : verbatim(provider)
}

/** Shows where a private key is. Shows nothing for a key that this service does not have. */
export function KeyPlace({ provider }: { provider: string | undefined }) {
  if (provider === undefined) return null
  return (
    <Badge mood={provider === 'software' ? 'quiet' : 'good'}>
      {say(keyPlaceTexts.keyIn, { provider: say(textOfProvider(provider)) })}
    </Badge>
  )
}
