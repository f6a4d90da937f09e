import { texts } from '../../kit/language.ts'

export const serviceTexts = texts({
  service: { en: 'Service', de: 'Dienst' },
  queues: { en: 'Queues', de: 'Warteschlangen' },
  about: {
    en: 'Jobs of all tenants. A failed job is retried. After its last attempt it stays here for seven days.',
    de: 'Aufgaben aller Mandanten. Eine fehlgeschlagene Aufgabe wird wiederholt. Nach dem letzten Versuch bleibt sie sieben Tage hier stehen.',
  },
  queue: { en: 'Queue', de: 'Warteschlange' },
  signing: { en: 'requests that wait for a signature', de: 'Anfragen, die auf eine Signatur warten' },
  'signing-bulk': { en: 'lists and renewals', de: 'Listen und Erneuerungen' },
  publishing: { en: 'publications that are due', de: 'fällige Veröffentlichungen' },
  integrations: { en: 'imported lists', de: 'importierte Listen' },
  delivery: { en: 'webhooks and messages', de: 'Webhooks und Nachrichten' },
  analytics: { en: 'events', de: 'Ereignisse' },
  upkeep: { en: 'cleanup, recovery, bulk requests', de: 'Aufräumen, Wiederherstellung, Massenaufträge' },
  waiting: { en: 'Waiting', de: 'Wartend' },
  active: { en: 'Active', de: 'In Arbeit' },
  delayed: { en: 'Delayed', de: 'Verzögert' },
  failed: { en: 'Failed', de: 'Fehlgeschlagen' },
  oldest: { en: 'Oldest', de: 'Älteste' },
  workers: { en: 'Workers', de: 'Worker' },
  none: { en: 'none', de: 'keiner' },
  missingOn: { en: 'no worker for {queues}', de: 'kein Worker für {queues}' },
  missing: { en: 'missing', de: 'fehlen' },
  running: { en: 'running', de: 'in Betrieb' },
  outbox: { en: 'Not queued yet', de: 'Noch nicht eingereiht' },
})
