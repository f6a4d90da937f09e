import { useState } from 'preact/hooks'
import type { Answered, Schemas } from '../../../kit/api.ts'
import { Form } from '../../../kit/form.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { say } from '../../../kit/language.ts'
import { commonTexts } from '../../../kit/texts.ts'
import type { Participant } from '../calls.ts'
import { participantTexts } from './texts.ts'

const fields: readonly Field[] = [
  { name: 'name', label: commonTexts.name, required: true },
  { name: 'isIssuer', label: participantTexts.isIssuer, kind: 'tick' },
  {
    ...{ name: 'isIssuerConstrained', label: participantTexts.issuerConstrained, kind: 'tick' },
    hint: participantTexts.constrainedHint,
  },
  { name: 'isVerifier', label: participantTexts.isVerifier, kind: 'tick' },
  {
    ...{ name: 'isVerifierConstrained', label: participantTexts.verifierConstrained, kind: 'tick' },
    hint: participantTexts.constrainedHint,
  },
  {
    ...{ name: 'status', label: commonTexts.state, kind: 'choice', required: true },
    choices: (['Active', 'Inactive'] as const).map((value) => ({ value, label: participantTexts[value] })),
  },
  { name: 'country', label: participantTexts.country, hint: participantTexts.countryHint },
  { name: 'stateOrProvince', label: participantTexts.region },
  { name: 'identifiers.web-semantic', label: participantTexts.didWeb, hint: participantTexts.didHint },
  { name: 'identifiers.compact-semantic', label: participantTexts.didCompactSemantic },
  { name: 'identifiers.compact', label: participantTexts.didCompact },
]

const asNew = { isIssuer: true, isIssuerConstrained: true, isVerifierConstrained: true, status: 'Active' }

/** The form of a new or an existing participant. Its certificates stay unchanged. */
export function ParticipantForm(props: {
  start?: Participant
  action: string
  submit: (body: Schemas['ParticipantRequest']) => Promise<Answered<Participant>>
  onDone: (participant: Participant) => void
  onCancel?: () => void
}) {
  const { start, submit, ...form } = props
  const [contacts, setContacts] = useState<Contact[]>(start?.contacts ?? [])
  const mobile = start?.identifiers.mobile
  const send = (body: Record<string, unknown>) => {
    const identifiers = { ...(body.identifiers as object | undefined), ...(mobile && { mobile }) }
    // Boundary: the fields are those of the request.
    return submit({ ...body, identifiers, contacts: contacts.filter(isFilled) } as Schemas['ParticipantRequest'])
  }
  return (
    <Form
      calls={start ? 'updateParticipant' : 'createParticipant'}
      {...form}
      fields={fields}
      start={start ?? asNew}
      submit={send}
    >
      <Contacts of={contacts} onChange={setContacts} />
    </Form>
  )
}

type Contact = Participant['contacts'][number]

/** Returns the changed contact without empty members. */
function changed({ phoneNumber, address }: Contact, changes: Contact): Contact {
  const { phoneNumber: phone = '', address: at = '' } = { phoneNumber, address, ...changes } as Contact
  return { ...(phone && { phoneNumber: phone }), ...(at && { address: at }) }
}

function isFilled({ phoneNumber, address }: Contact): boolean {
  return Boolean(phoneNumber?.trim() || address?.trim())
}

function Contacts({ of, onChange }: { of: Contact[]; onChange: (contacts: Contact[]) => void }) {
  const set = (index: number, changes: Contact) =>
    onChange(of.map((each, at) => (at === index ? changed(each, changes) : each)))
  return (
    <fieldset>
      <legend>{say(participantTexts.contacts)}</legend>
      {of.map((contact, index) => (
        <div class="contact" key={index}>
          <label>
            {say(participantTexts.phone)}
            <input
              value={contact.phoneNumber ?? ''}
              onInput={({ currentTarget }) => set(index, { phoneNumber: currentTarget.value })}
            />
          </label>
          <label>
            {say(participantTexts.address)}
            <input
              value={contact.address ?? ''}
              onInput={({ currentTarget }) => set(index, { address: currentTarget.value })}
            />
          </label>
          <button
            type="button"
            class="plain"
            aria-label={say(participantTexts.removeContact, { number: index + 1 })}
            onClick={() => onChange(of.filter((_, at) => at !== index))}
          >
            ✕
          </button>
        </div>
      ))}
      <div>
        <button type="button" onClick={() => onChange([...of, {}])}>
          {say(participantTexts.addContact)}
        </button>
      </div>
    </fieldset>
  )
}
