import { CopyButton } from '../../kit/copy.tsx'
import { Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { session } from '../../kit/session.ts'
import { accessTexts } from './texts.ts'

/** Shows how programs get a management token, which the curl commands name `$TOKEN`. */
export function Token() {
  const id = session.value?.clientId ?? '$CLIENT_ID'
  const lines = [
    `read -rs CLIENT_SECRET`,
    `export TOKEN=$(curl -s '${location.origin}/oauth/token' -d grant_type=client_credentials -d "client_id=${id}" --data-urlencode "client_secret=$CLIENT_SECRET" | jq -r .access_token)`,
    `curl '${location.origin}/v1/webhooks' -H "Authorization: Bearer $TOKEN"`,
  ]
  return (
    <Section title={say(accessTexts.token)}>
      <p>{say(accessTexts.tokenText)}</p>
      {lines.map((line) => (
        <div class="json" key={line}>
          <pre class="wrapped">{line}</pre>
          <CopyButton text={line} label="curl" />
        </div>
      ))}
    </Section>
  )
}
