import { texts } from '../../kit/language.ts'

export const overviewTexts = texts({
  overview: { en: 'Overview', de: 'Übersicht' },
  nothingForRoles: {
    en: 'Your roles show you nothing here: the menu has what you may do.',
    de: 'Ihre Rollen zeigen Ihnen hier nichts: Im Menü steht, was Sie tun können.',
  },
  attention: { en: 'What needs attention', de: 'Was Aufmerksamkeit braucht' },
  allWell: { en: 'Nothing needs attention.', de: 'Nichts braucht Aufmerksamkeit.' },
  more: {
    en: 'There is more of this than is listed here.',
    de: 'Davon gibt es mehr, als hier steht.',
  },
  critical: { en: 'critical', de: 'kritisch' },
  warning: { en: 'warning', de: 'Warnung' },
  notice: { en: 'notice', de: 'Hinweis' },
  counts: { en: 'What there is', de: 'Was es gibt' },
  users: { en: 'Users', de: 'Personen' },
  credentials: { en: 'Collected credentials', de: 'Abgeholte Nachweise' },
  signedCredentials: { en: 'Directly signed credentials', de: 'Direkt signierte Nachweise' },
  notValid: { en: 'Revoked or suspended', de: 'Widerrufen oder ausgesetzt' },
  configurations: { en: 'Configurations', de: 'Konfigurationen' },
  usableOffers: { en: 'Open offers', de: 'Offene Angebote' },
  wallets: { en: 'Registered wallets', de: 'Registrierte Wallets' },
  webhooks: { en: 'Webhooks', de: 'Webhooks' },
  ecosystems: { en: 'Ecosystems', de: 'Ökosysteme' },
  participants: { en: 'Participants', de: 'Teilnehmer' },
})

export const concernTexts = texts({
  iaca: { en: 'A root of mobile credentials (IACA)', de: 'Eine Wurzel mobiler Nachweise (IACA)' },
  'document-signer': {
    en: 'A signer of mobile credentials',
    de: 'Ein Signaturzertifikat für mobile Nachweise',
  },
  'status-list-signer': { en: 'A signer of status lists', de: 'Ein Signaturzertifikat für Statuslisten' },
  'ecosystem-ca': { en: 'A root of trusted lists', de: 'Eine Wurzel von Vertrauenslisten' },
  'vical-signer': { en: 'A signer of VICALs', de: 'Ein Signaturzertifikat für VICALs' },
  'rical-signer': { en: 'A signer of RICALs', de: 'Ein Signaturzertifikat für RICALs' },
  ends: { en: '{what} ends', de: '{what} endet' },
  ended: { en: '{what} ended', de: '{what} endete' },
  makeNext: {
    en: 'Make the one that follows it, and give it to verifiers in time.',
    de: 'Legen Sie das nächste an, und geben Sie es rechtzeitig an Prüfstellen weiter.',
  },
  lateRenewal: {
    en: 'The service was to replace it, and has not: see whether its workers run.',
    de: 'Der Dienst hätte es ersetzen sollen: Sehen Sie nach, ob seine Worker laufen.',
  },
  expired: {
    en: 'Verifiers refuse a status list, which expired',
    de: 'Prüfstellen lehnen eine Statusliste ab, abgelaufen',
  },
  notRenewed: { en: 'A status list was to be made anew', de: 'Eine Statusliste hätte erneuert werden sollen:' },
  changesMissing: {
    en: 'A status list does not show what was changed',
    de: 'Eine Statusliste zeigt nicht, was geändert wurde:',
  },
  lookAtWorkers: {
    en: 'Lists are published within seconds while workers run: see whether they do.',
    de: 'Listen werden in Sekunden veröffentlicht, solange Worker laufen: Sehen Sie nach, ob sie laufen.',
  },
  failing: {
    en: 'A webhook has failed, {failures} times in a row, first',
    de: 'Ein Webhook schlägt fehl, {failures} Mal in Folge, zuerst',
  },
  waiting: {
    en: 'Deliveries of a webhook wait, the oldest was made',
    de: 'Zustellungen eines Webhooks warten, die älteste entstand',
  },
  disabled: { en: 'A webhook is switched off', de: 'Ein Webhook ist abgeschaltet' },
  seeDeliveries: {
    en: 'See what its receiver answered, and send a test.',
    de: 'Sehen Sie, was der Empfänger geantwortet hat, und senden Sie einen Test.',
  },
  switchOn: {
    en: 'Switch it on again, or delete it if nobody misses it.',
    de: 'Schalten Sie ihn wieder ein, oder löschen Sie ihn, wenn ihn niemand vermisst.',
  },
  waits: { en: '{what}; the oldest was due', de: '{what}; das Älteste war fällig' },
  issuance: { en: 'Credentials wait to be signed', de: 'Nachweise warten auf ihre Signatur' },
  statusChange: { en: 'Changes wait for their status list', de: 'Änderungen warten auf ihre Statusliste' },
  delivery: { en: 'Deliveries of webhooks wait', de: 'Zustellungen von Webhooks warten' },
  message: { en: 'Messages wait to be sent', de: 'Nachrichten warten darauf, gesendet zu werden' },
  bulk: { en: 'Requests about many credentials wait', de: 'Aufträge zu vielen Nachweisen warten' },
  integrationDue: { en: 'Lists of others wait to be fetched', de: 'Fremde Listen warten darauf, geholt zu werden' },
  lookAtQueue: {
    en: 'The queue “{queue}” does it, usually at once: see whether its workers run.',
    de: 'Das geht sonst sofort über die Warteschlange „{queue}“: Sehen Sie nach, ob ihre Worker laufen.',
  },
  failed: {
    en: 'The {list} could not be published, first',
    de: 'Die {list} konnte nicht veröffentlicht werden, zuerst',
  },
  due: { en: 'The {list} was to be published', de: 'Die {list} hätte veröffentlicht werden sollen:' },
  ending: { en: 'The next {list} is announced for', de: 'Die nächste {list} ist angekündigt für' },
  publish: {
    en: 'Publish it, or mend what keeps it from being published.',
    de: 'Veröffentlichen Sie sie, oder beheben Sie, was sie aufhält.',
  },
  integration: {
    en: 'A list of others could not be taken over, {failures} times in a row; the last good one was found',
    de: 'Eine fremde Liste ließ sich nicht übernehmen, {failures} Mal in Folge; die letzte gute kam',
  },
  integrationNever: {
    en: 'A list of others could not be taken over, {failures} times in a row; none was good so far',
    de: 'Eine fremde Liste ließ sich nicht übernehmen, {failures} Mal in Folge; bisher war keine gut',
  },
  askProvider: {
    en: 'See why, and ask who publishes it.',
    de: 'Sehen Sie, warum, und fragen Sie, wer sie veröffentlicht.',
  },
  certificate: { en: 'To the certificate', de: 'Zum Zertifikat' },
  health: { en: 'To the health of the service', de: 'Zum Zustand des Dienstes' },
  queues: { en: 'To the queues', de: 'Zu den Warteschlangen' },
  lists: { en: 'To the status lists', de: 'Zu den Statuslisten' },
  webhook: { en: 'To the webhook', de: 'Zum Webhook' },
  ecosystem: { en: 'To the ecosystem', de: 'Zum Ökosystem' },
})

export const daysTexts = texts({
  issuances: { en: 'Issuances', de: 'Ausstellungen' },
  days: { en: 'Period', de: 'Zeitraum' },
  lastDays: { en: 'the last {days} days', de: 'die letzten {days} Tage' },
  summary: {
    en: '{total} in these {days} days; at most {most} in a day, on {day}.',
    de: '{total} in diesen {days} Tagen, die meisten am {day} ({most}).',
  },
  none: { en: 'Nothing was issued in these {days} days.', de: 'In diesen {days} Tagen wurde nichts ausgestellt.' },
  asTable: { en: 'As a table', de: 'Als Tabelle' },
  day: { en: 'Day (UTC)', de: 'Tag (UTC)' },
  issued: { en: 'Issued', de: 'Ausgestellt' },
})

export const stepTexts = texts({
  title: { en: 'Your first credential, on your phone', de: 'Ihr erster Nachweis, auf Ihrem Handy' },
  advice: {
    en: 'Three steps, about two minutes. You need a phone with a wallet that speaks OpenID4VCI.',
    de: 'Drei Schritte, etwa zwei Minuten. Sie brauchen ein Handy mit einer Wallet, die OpenID4VCI spricht.',
  },
  done: {
    en: 'Your first credential is in a wallet. From here on this page shows what needs attention.',
    de: 'Ihr erster Nachweis ist in einer Wallet. Von jetzt an zeigt diese Seite, was Aufmerksamkeit braucht.',
  },
  configuration: { en: 'Say what the credential is', de: 'Legen Sie fest, was der Nachweis ist' },
  configurationAdvice: {
    en: 'A configuration: a name, a format, and which claims it has.',
    de: 'Eine Konfiguration: ein Name, ein Format und die Angaben, die er enthält.',
  },
  newConfiguration: { en: 'New configuration', de: 'Neue Konfiguration' },
  offer: { en: 'Offer it', de: 'Bieten Sie ihn an' },
  offerAdvice: {
    en: 'An offer for one person, with values for its claims. It becomes a QR code.',
    de: 'Ein Angebot für eine Person, mit Werten für die Angaben. Daraus wird ein QR-Code.',
  },
  newOffer: { en: 'New offer', de: 'Neues Angebot' },
  scan: { en: 'Scan it', de: 'Scannen Sie ihn' },
  scanAdvice: {
    en: 'Open the offer, and scan its QR code with the wallet. This page sees by itself when it was collected.',
    de: 'Öffnen Sie das Angebot, und scannen Sie den QR-Code mit der Wallet. Diese Seite bemerkt selbst, wenn er abgeholt ist.',
  },
  openOffer: { en: 'Open the offer', de: 'Angebot öffnen' },
  isDone: { en: 'done', de: 'erledigt' },
})
