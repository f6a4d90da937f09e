import { texts } from '../../kit/language.ts'

export const overviewTexts = texts({
  overview: { en: 'Overview', de: 'Übersicht' },
  nothingForRoles: {
    en: 'Your roles have no data on this screen. Use the menu.',
    de: 'Für Ihre Rollen gibt es auf dieser Seite keine Daten. Verwenden Sie das Menü.',
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
    en: 'Create its successor, and give it to verifiers in time.',
    de: 'Legen Sie den Nachfolger an, und geben Sie ihn rechtzeitig an Prüfstellen weiter.',
  },
  lateRenewal: {
    en: 'The service has not replaced it in time. Check whether its workers run.',
    de: 'Der Dienst hat es nicht rechtzeitig ersetzt. Prüfen Sie, ob seine Worker laufen.',
  },
  expired: {
    en: 'Verifiers refuse a status list, which expired',
    de: 'Prüfstellen lehnen eine Statusliste ab, abgelaufen',
  },
  notRenewed: {
    en: 'A status list was not renewed; it was due',
    de: 'Eine Statusliste wurde nicht erneuert, fällig war sie:',
  },
  changesMissing: {
    en: 'A status list does not show what was changed',
    de: 'Eine Statusliste zeigt nicht, was geändert wurde:',
  },
  checkWorkers: {
    en: 'Running workers publish lists within seconds. Check whether they run.',
    de: 'Laufende Worker veröffentlichen Listen in Sekunden. Prüfen Sie, ob sie laufen.',
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
    en: 'Enable it again, or delete it if it is not needed.',
    de: 'Schalten Sie ihn wieder ein, oder löschen Sie ihn, wenn er nicht gebraucht wird.',
  },
  waits: { en: '{what}; the oldest was due', de: '{what}; das Älteste war fällig' },
  issuance: { en: 'Credentials wait to be signed', de: 'Nachweise warten auf ihre Signatur' },
  statusChange: { en: 'Changes wait for their status list', de: 'Änderungen warten auf ihre Statusliste' },
  delivery: { en: 'Deliveries of webhooks wait', de: 'Zustellungen von Webhooks warten' },
  message: { en: 'Messages wait to be sent', de: 'Nachrichten warten darauf, gesendet zu werden' },
  bulk: { en: 'Requests about many credentials wait', de: 'Aufträge zu vielen Nachweisen warten' },
  integrationDue: { en: 'Lists of others wait to be fetched', de: 'Fremde Listen warten darauf, geholt zu werden' },
  checkQueue: {
    en: 'The queue “{queue}” usually does this at once. Check whether its workers run.',
    de: 'Die Warteschlange „{queue}“ erledigt das sonst sofort. Prüfen Sie, ob ihre Worker laufen.',
  },
  failed: {
    en: 'The {list} could not be published, first',
    de: 'Die {list} konnte nicht veröffentlicht werden, zuerst',
  },
  due: { en: 'The {list} was to be published', de: 'Die {list} hätte veröffentlicht werden sollen:' },
  ending: { en: 'The next {list} is announced for', de: 'Die nächste {list} ist angekündigt für' },
  publish: {
    en: 'Publish it, or fix the cause of the failure.',
    de: 'Veröffentlichen Sie sie, oder beheben Sie die Ursache des Fehlers.',
  },
  integration: {
    en: 'A list of others could not be taken over, {failures} times in a row; the last good one was found',
    de: 'Eine fremde Liste ließ sich nicht übernehmen, {failures} Mal in Folge; die letzte gute kam',
  },
  integrationNever: {
    en: 'A list of others could not be taken over, {failures} times in a row; none was good so far',
    de: 'Eine fremde Liste ließ sich nicht übernehmen, {failures} Mal in Folge; bisher war keine gut',
  },
  contactPublisher: {
    en: 'See the reason, and contact its publisher.',
    de: 'Sehen Sie sich den Grund an, und wenden Sie sich an den Herausgeber.',
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
  configuration: { en: 'Define the credential', de: 'Legen Sie den Nachweis fest' },
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
    en: 'Open the offer, and scan its QR code with the wallet. This page updates automatically when the credential is collected.',
    de: 'Öffnen Sie das Angebot, und scannen Sie den QR-Code mit der Wallet. Diese Seite zeigt automatisch, wenn der Nachweis abgeholt ist.',
  },
  openOffer: { en: 'Open the offer', de: 'Angebot öffnen' },
  isDone: { en: 'done', de: 'erledigt' },
})
