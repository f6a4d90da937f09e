import Negotiator from 'negotiator'
import type { Headers } from '../../http/route.ts'
import type { DisplayedOffer } from '../offers/shown.ts'

/** The outcome of an offer: a heading, and advice for the person. */
export interface Outcome {
  title: string
  advice: string
  /** The text of a button that sends a form to the address of the page. */
  button?: string
}

/** `gone`: the offer was deleted while a person looked at its page. */
type Ended = Exclude<DisplayedOffer['state'], 'offered'> | 'gone'

export interface Texts {
  /** The heading, for one and for several credentials. */
  one: string
  several: string
  /** The text before the number of credentials that are not shown. */
  more: string
  scan: string
  qr: string
  open: string
  add: string
  /** Shown if the browser could not add the credential. */
  refused: string
  /** Shown for a shared offer: the person signs in first. */
  signIn: string
  /** The text before the code's own description, if there is one. */
  code: string
  /** The text before the remaining minutes and seconds. */
  left: string
  /** The text before the end time, in print. */
  until: string
  refresh: string
  outcomes: Record<Ended, Outcome>
}

const texts: Record<string, Texts> = {
  en: {
    one: 'A credential for you',
    several: 'Credentials for you',
    more: 'and more:',
    scan: 'Scan the code with the phone that has your wallet, or open the offer on this device.',
    qr: 'QR code of the offer, for your wallet',
    open: 'Open on this device',
    add: 'Add to wallet',
    refused:
      'The browser could not open the offer in a wallet. Please scan the code, or open the offer on this device.',
    signIn: 'Your wallet will then ask you to sign in.',
    code: 'Your wallet will ask for a six-digit code. You receive this code separately.',
    left: 'Time left:',
    until: 'Valid until',
    refresh: 'Check the status of the offer',
    outcomes: {
      opened: { title: 'The offer is open in a wallet', advice: 'Please continue in your wallet.' },
      collected: { title: 'Done', advice: 'The credential is in your wallet. You can close this page.' },
      expired: { title: 'This offer has expired', advice: 'Please ask the issuer for a new offer.' },
      usedUp: {
        title: 'This offer has ended',
        advice: 'The code was entered incorrectly too many times. Please ask the issuer for a new offer.',
      },
      gone: { title: 'This offer was withdrawn', advice: 'Please ask the issuer for a new offer.' },
    },
  },
  de: {
    one: 'Ein Nachweis für Sie',
    several: 'Nachweise für Sie',
    more: 'und weitere:',
    scan: 'Scannen Sie den Code mit dem Telefon, auf dem Ihre Wallet ist, oder öffnen Sie das Angebot auf diesem Gerät.',
    qr: 'QR-Code des Angebots, für Ihre Wallet',
    open: 'Auf diesem Gerät öffnen',
    add: 'Zur Wallet hinzufügen',
    refused:
      'Der Browser konnte das Angebot nicht in einer Wallet öffnen. Bitte scannen Sie den Code, oder öffnen Sie das Angebot auf diesem Gerät.',
    signIn: 'Ihre Wallet bittet Sie anschließend, sich anzumelden.',
    code: 'Ihre Wallet fragt nach einem sechsstelligen Code. Diesen Code erhalten Sie getrennt.',
    left: 'Verbleibende Zeit:',
    until: 'Gültig bis',
    refresh: 'Stand des Angebots prüfen',
    outcomes: {
      opened: { title: 'Das Angebot ist in einer Wallet geöffnet', advice: 'Bitte machen Sie in Ihrer Wallet weiter.' },
      collected: { title: 'Fertig', advice: 'Der Nachweis ist in Ihrer Wallet. Sie können diese Seite schließen.' },
      expired: {
        title: 'Dieses Angebot ist abgelaufen',
        advice: 'Bitte fragen Sie die ausstellende Stelle nach einem neuen Angebot.',
      },
      usedUp: {
        title: 'Dieses Angebot ist beendet',
        advice:
          'Der Code wurde zu oft falsch eingegeben. Bitte fragen Sie die ausstellende Stelle nach einem neuen Angebot.',
      },
      gone: {
        title: 'Dieses Angebot wurde zurückgezogen',
        advice: 'Bitte fragen Sie die ausstellende Stelle nach einem neuen Angebot.',
      },
    },
  },
  fr: {
    one: 'Une attestation pour vous',
    several: 'Des attestations pour vous',
    more: 'et d’autres :',
    scan: 'Scannez le code avec le téléphone qui contient votre portefeuille, ou ouvrez l’offre sur cet appareil.',
    qr: 'Code QR de l’offre, pour votre portefeuille',
    open: 'Ouvrir sur cet appareil',
    add: 'Ajouter au portefeuille',
    refused:
      'Le navigateur n’a transmis l’offre à aucun portefeuille. Scannez le code, ou ouvrez l’offre sur cet appareil.',
    signIn: 'Votre portefeuille vous demande ensuite de vous connecter.',
    code: 'Votre portefeuille demande un code à six chiffres, que vous recevez par un autre moyen.',
    left: 'Temps restant :',
    until: 'Valable jusqu’au',
    refresh: 'Voir ce que l’offre est devenue',
    outcomes: {
      opened: { title: 'Un portefeuille a ouvert l’offre', advice: 'Continuez dans votre portefeuille.' },
      collected: {
        title: 'C’est fait',
        advice: 'L’attestation est dans votre portefeuille. Vous pouvez fermer cette page.',
      },
      expired: { title: 'Cette offre a expiré', advice: 'Demandez-en une nouvelle à qui vous l’a donnée.' },
      usedUp: {
        title: 'Cette offre est terminée',
        advice: 'Un code erroné a été saisi trop souvent. Demandez une nouvelle offre à qui vous l’a donnée.',
      },
      gone: { title: 'Cette offre a été retirée', advice: 'Demandez-en une nouvelle à qui vous l’a donnée.' },
    },
  },
  es: {
    one: 'Una credencial para usted',
    several: 'Credenciales para usted',
    more: 'y otras:',
    scan: 'Escanee el código con el teléfono que tiene su cartera, o abra la oferta en este dispositivo.',
    qr: 'Código QR de la oferta, para su cartera',
    open: 'Abrir en este dispositivo',
    add: 'Añadir a la cartera',
    refused:
      'El navegador no pasó la oferta a ninguna cartera. Escanee el código, o abra la oferta en este dispositivo.',
    signIn: 'Después, su cartera le pide que inicie sesión.',
    code: 'Su cartera pide un código de seis cifras, que usted recibe por otro medio.',
    left: 'Tiempo restante:',
    until: 'Válida hasta',
    refresh: 'Ver qué ha sido de la oferta',
    outcomes: {
      opened: { title: 'Una cartera ha abierto la oferta', advice: 'Continúe en su cartera.' },
      collected: { title: 'Listo', advice: 'La credencial está en su cartera. Puede cerrar esta página.' },
      expired: { title: 'Esta oferta ha caducado', advice: 'Pida una nueva a quien se la dio.' },
      usedUp: {
        title: 'Esta oferta ha terminado',
        advice: 'El código se introdujo mal demasiadas veces. Pida una nueva oferta a quien se la dio.',
      },
      gone: { title: 'Esta oferta fue retirada', advice: 'Pida una nueva a quien se la dio.' },
    },
  },
}

/** Returns the texts in the supported language that the browser prefers. */
export function offerTexts(headers: Headers): { language: string; texts: Texts } {
  const [language = 'en'] = new Negotiator({ headers }).languages(Object.keys(texts))
  const inLanguage = texts[language] ?? texts.en
  if (!inLanguage) throw new Error('the English texts are missing')
  return { language, texts: inLanguage }
}

/** Selects the entry for the reader's language. Otherwise selects the entry without a language, or the first. */
export function forReader<Each extends { locale?: string | undefined }>(
  all: readonly Each[],
  headers: Headers,
): Each | undefined {
  const locales = all.flatMap(({ locale }) => (locale === undefined ? [] : [locale]))
  const [wanted] = headers['accept-language'] === undefined ? [] : new Negotiator({ headers }).languages(locales)
  const ofReader = wanted === undefined ? undefined : all.find(({ locale }) => locale === wanted)
  return ofReader ?? all.find(({ locale }) => locale === undefined) ?? all[0]
}
