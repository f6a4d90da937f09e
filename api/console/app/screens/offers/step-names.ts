import { say, type Text } from '../../kit/language.ts'

const german: Record<string, string> = {
  'offer created': 'Angebot angelegt',
  'offer deleted': 'Angebot gelöscht',
  'offer expired': 'Angebot abgelaufen',
  'authorization requested': 'Autorisierung angefragt',
  'authorization request pushed': 'Autorisierungsanfrage übergeben',
  'review before the sign-in': 'Bestätigung vor der Anmeldung',
  'sign-in at the identity provider': 'Anmeldung beim Identitätsanbieter',
  interaction: 'Zwischenschritt bei Ihrer Komponente',
  'code exchanged for a token': 'Code gegen Token getauscht',
  'credential requested': 'Nachweis angefragt',
  'deferred credential requested': 'Aufgeschobenen Nachweis angefragt',
  'credential deferred': 'Nachweis aufgeschoben',
  'credential signed': 'Nachweis signiert',
  'notification by the wallet': 'Rückmeldung der Wallet',
  'claim source called': 'Datenquelle aufgerufen',
  'webhook called': 'Webhook aufgerufen',
  'wallet says': 'Die Wallet meldet',
}

/** Returns the name of a step. For some steps the service adds details after a colon. */
export function stepName(step: string): string {
  const [own = '', ...rest] = step.split(': ')
  const name: Text = { en: own.replace(/^./, (first) => first.toUpperCase()), de: german[own] ?? own }
  return [say(name), ...rest].join(': ')
}
