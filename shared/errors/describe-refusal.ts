import type { Problem } from './errors.ts'

const maxFieldsNamed = 5

/** Returns the reason of a refusal for events and the log, with the wrong fields. It contains no values and no names of claims. */
export function describeRefusal({ reason, details = [] }: Problem): string {
  const fields = details.filter(({ msg }) => msg !== reason)
  const named = fields.slice(0, maxFieldsNamed).map(({ param, msg }) => `${ownPath(param)}: ${msg}`)
  return [reason, ...named, ...(fields.length > maxFieldsNamed ? ['…'] : [])].join('; ')
}

/** Fields whose members are named by the sender. */
const freeForm = new Set(['claims', 'payload', 'credentialSubject', 'document', 'presentation'])

/** Returns the part of a path whose names are defined by the interface. */
function ownPath(param: string): string {
  const names = param.split('.')
  const at = names.findIndex((name) => freeForm.has(name))
  return (at < 0 ? param : names.slice(0, at + 1).join('.')).slice(0, 100)
}
