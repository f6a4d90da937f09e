import { texts } from '../../kit/language.ts'

export const overviewTexts = texts({
  overview: { en: 'Overview', de: 'Übersicht' },
  nothingForRoles: {
    en: 'This page has no data for your roles. Use the menu.',
    de: 'Für Ihre Rollen gibt es auf dieser Seite keine Daten. Verwenden Sie das Menü.',
  },
  attention: { en: 'Needs attention', de: 'Handlungsbedarf' },
  allWell: { en: 'Nothing needs attention.', de: 'Kein Handlungsbedarf.' },
  more: { en: 'More problems exist than are listed here.', de: 'Es gibt mehr Probleme, als hier aufgeführt sind.' },
  critical: { en: 'critical', de: 'kritisch' },
  warning: { en: 'warning', de: 'Warnung' },
  notice: { en: 'notice', de: 'Hinweis' },
  counts: { en: 'Totals', de: 'Bestand' },
  users: { en: 'Users', de: 'Personen' },
  credentials: { en: 'Collected credentials', de: 'Abgeholte Nachweise' },
  signedCredentials: { en: 'Directly signed credentials', de: 'Direkt signierte Nachweise' },
  notValid: { en: 'Revoked or suspended', de: 'Widerrufen oder ausgesetzt' },
  configurations: { en: 'Configurations', de: 'Konfigurationen' },
  usableOffers: { en: 'Open offers', de: 'Offene Angebote' },
  failedOffers: { en: 'Failed offers', de: 'Fehlgeschlagene Angebote' },
  wallets: { en: 'Registered wallets', de: 'Registrierte Wallets' },
  webhooks: { en: 'Webhooks', de: 'Webhooks' },
  ecosystems: { en: 'Ecosystems', de: 'Ökosysteme' },
  participants: { en: 'Participants', de: 'Teilnehmer' },
})

export const concernTexts = texts({
  iaca: {
    en: 'A root certificate for mobile credentials (IACA)',
    de: 'Ein Wurzelzertifikat für mobile Nachweise (IACA)',
  },
  'document-signer': {
    en: 'A signer certificate for mobile credentials',
    de: 'Ein Signaturzertifikat für mobile Nachweise',
  },
  'status-list-signer': { en: 'A signer certificate for status lists', de: 'Ein Signaturzertifikat für Statuslisten' },
  'sd-jwt-signer': { en: 'A signer certificate for SD-JWT VCs', de: 'Ein Signaturzertifikat für SD-JWT VCs' },
  'ecosystem-ca': { en: 'A root certificate for trusted lists', de: 'Ein Wurzelzertifikat für Vertrauenslisten' },
  'vical-signer': { en: 'A signer certificate for VICALs', de: 'Ein Signaturzertifikat für VICALs' },
  'rical-signer': { en: 'A signer certificate for RICALs', de: 'Ein Signaturzertifikat für RICALs' },
  ends: { en: '{what} expires', de: '{what} läuft ab' },
  ended: { en: '{what} expired', de: '{what}: abgelaufen' },
  makeNext: {
    en: 'Create its successor, and give it to verifiers in time.',
    de: 'Legen Sie den Nachfolger an, und geben Sie ihn rechtzeitig an Prüfstellen weiter.',
  },
  lateRenewal: {
    en: 'The service has not replaced it in time. Check whether the workers run.',
    de: 'Der Dienst hat es nicht rechtzeitig ersetzt. Prüfen Sie, ob die Worker laufen.',
  },
  expired: {
    en: 'Verifiers refuse a status list because it expired',
    de: 'Prüfstellen lehnen eine Statusliste ab. Abgelaufen:',
  },
  notRenewed: { en: 'A status list was not renewed. It was due', de: 'Eine Statusliste wurde nicht erneuert. Fällig:' },
  changesMissing: {
    en: 'A status list lacks a change that was made',
    de: 'In einer Statusliste fehlt eine Änderung. Geändert:',
  },
  checkWorkers: {
    en: 'Workers publish lists within seconds. Check whether they run.',
    de: 'Worker veröffentlichen Listen innerhalb von Sekunden. Prüfen Sie, ob sie laufen.',
  },
  failing: {
    en: 'A webhook failed {failures} times in a row. First failure:',
    de: 'Ein Webhook ist {failures} Mal in Folge fehlgeschlagen. Erster Fehler:',
  },
  waiting: { en: 'Deliveries of a webhook are waiting. Oldest:', de: 'Zustellungen eines Webhooks warten. Älteste:' },
  disabled: { en: 'A webhook is disabled', de: 'Ein Webhook ist deaktiviert' },
  seeDeliveries: {
    en: 'Look at the responses of the receiver, and send a test.',
    de: 'Sehen Sie sich die Antworten des Empfängers an, und senden Sie einen Test.',
  },
  switchOn: {
    en: 'Enable it again, or delete it if it is not needed.',
    de: 'Aktivieren Sie ihn wieder, oder löschen Sie ihn, wenn er nicht gebraucht wird.',
  },
  waits: { en: '{what}. The oldest was due', de: '{what}. Älteste Fälligkeit:' },
  issuance: { en: 'Credentials are waiting for their signature', de: 'Nachweise warten auf ihre Signatur' },
  statusChange: { en: 'Changes are waiting for their status list', de: 'Änderungen warten auf ihre Statusliste' },
  delivery: { en: 'Webhook deliveries are waiting', de: 'Webhook-Zustellungen warten' },
  message: { en: 'Messages are waiting to be sent', de: 'Nachrichten warten auf ihren Versand' },
  bulk: { en: 'Bulk requests are waiting', de: 'Massenaufträge warten' },
  integrationDue: { en: 'Imported lists are waiting to be fetched', de: 'Importierte Listen warten auf ihren Abruf' },
  checkQueue: {
    en: 'The queue “{queue}” usually processes this at once. Check whether its workers run.',
    de: 'Die Warteschlange „{queue}“ verarbeitet das sonst sofort. Prüfen Sie, ob ihre Worker laufen.',
  },
  failed: {
    en: 'The {list} could not be published. First failure:',
    de: 'Die {list} konnte nicht veröffentlicht werden. Erster Fehler:',
  },
  due: { en: 'The publication of the {list} was due', de: 'Die Veröffentlichung der {list} war fällig' },
  ending: { en: 'Announced date of the next {list}:', de: 'Angekündigter Termin der nächsten {list}:' },
  publish: {
    en: 'Publish it, or fix the cause of the failure.',
    de: 'Veröffentlichen Sie sie, oder beheben Sie die Ursache des Fehlers.',
  },
  integration: {
    en: 'An imported list failed {failures} times in a row. Last valid list:',
    de: 'Eine importierte Liste ist {failures} Mal in Folge fehlgeschlagen. Letzte gültige Liste:',
  },
  integrationNever: {
    en: 'An imported list failed {failures} times in a row. It was never valid.',
    de: 'Eine importierte Liste ist {failures} Mal in Folge fehlgeschlagen. Sie war noch nie gültig.',
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

export const stepTexts = texts({
  title: { en: 'First steps', de: 'Erste Schritte' },
  hide: { en: 'Hide', de: 'Ausblenden' },
  advice: {
    en: 'The first three take about two minutes. You need a phone with a wallet that supports OpenID4VCI.',
    de: 'Die ersten drei dauern etwa zwei Minuten. Sie brauchen ein Handy mit einer Wallet, die OpenID4VCI unterstützt.',
  },
  done: {
    en: 'All steps are done. From now on this page shows what needs attention.',
    de: 'Alle Schritte sind erledigt. Ab jetzt zeigt diese Seite, wo Handlungsbedarf besteht.',
  },
  configuration: { en: 'Define the credential', de: 'Legen Sie den Nachweis fest' },
  configurationAdvice: {
    en: 'A configuration defines the name, the format and the claims of a credential.',
    de: 'Eine Konfiguration legt Name, Format und Angaben eines Nachweises fest.',
  },
  newConfiguration: { en: 'New configuration', de: 'Neue Konfiguration' },
  offer: { en: 'Offer it', de: 'Bieten Sie ihn an' },
  offerAdvice: {
    en: 'An offer is for one person and contains the values of the claims. It is shown as a QR code.',
    de: 'Ein Angebot gilt für eine Person und enthält die Werte der Angaben. Es wird als QR-Code angezeigt.',
  },
  newOffer: { en: 'New offer', de: 'Neues Angebot' },
  scan: { en: 'Scan it', de: 'Scannen Sie das Angebot' },
  scanAdvice: {
    en: 'Open the offer, and scan its QR code with the wallet. This page updates automatically when the credential is collected.',
    de: 'Öffnen Sie das Angebot, und scannen Sie den QR-Code mit der Wallet. Diese Seite wird automatisch aktualisiert, wenn der Nachweis abgeholt ist.',
  },
  webhook: { en: 'Notify your system', de: 'Benachrichtigen Sie Ihr System' },
  webhookAdvice: {
    en: 'A webhook sends your system a message about each issued credential.',
    de: 'Ein Webhook meldet Ihrem System jeden ausgestellten Nachweis.',
  },
  newWebhook: { en: 'New webhook', de: 'Neuer Webhook' },
  branding: { en: 'Set your branding', de: 'Legen Sie Ihr Erscheinungsbild fest' },
  brandingAdvice: {
    en: 'The pages for holders show your logo and colours.',
    de: 'Die Seiten für Inhaber zeigen Ihr Logo und Ihre Farben.',
  },
  setBranding: { en: 'Settings', de: 'Einstellungen' },
  openOffer: { en: 'Open the offer', de: 'Angebot öffnen' },
  isDone: { en: 'done', de: 'erledigt' },
})
