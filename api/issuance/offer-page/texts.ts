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
  /** The heading of the QR code on a phone, where the code is hidden at first. */
  otherDevice: string
  scan: string
  qr: string
  add: string
  /** Shown if the browser could not add the credential. */
  refused: string
  /** The heading of the advice for people without a wallet. */
  noWallet: string
  /** The text before the links to wallets. */
  getWallet: string
  /** Shown if the tenant has no links to wallets. */
  askWallet: string
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
    otherDevice: 'Use another device',
    scan: 'Scan the code with the phone that has your wallet.',
    qr: 'QR code of the offer, for your wallet',
    add: 'Add to wallet',
    refused: 'If no wallet opened, press the button again, or scan the code with another device.',
    noWallet: 'No wallet yet?',
    getWallet: 'A wallet is an app for your credentials. Install one on your phone, then open this page again:',
    askWallet: 'A wallet is an app for your credentials. Please ask the issuer which app you can use.',
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
    otherDevice: 'Anderes Gerät verwenden',
    scan: 'Scannen Sie den Code mit dem Telefon, auf dem Ihre Wallet ist.',
    qr: 'QR-Code des Angebots, für Ihre Wallet',
    add: 'Zur Wallet hinzufügen',
    refused:
      'Falls sich keine Wallet geöffnet hat, drücken Sie noch einmal, oder scannen Sie den Code mit einem anderen Gerät.',
    noWallet: 'Noch keine Wallet?',
    getWallet:
      'Eine Wallet ist eine App für Ihre Nachweise. Installieren Sie eine auf Ihrem Telefon, und öffnen Sie dann diese Seite noch einmal:',
    askWallet:
      'Eine Wallet ist eine App für Ihre Nachweise. Bitte fragen Sie die ausstellende Stelle, welche App Sie verwenden können.',
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
    otherDevice: 'Utiliser un autre appareil',
    scan: 'Scannez le code avec le téléphone qui contient votre portefeuille.',
    qr: 'Code QR de l’offre, pour votre portefeuille',
    add: 'Ajouter au portefeuille',
    refused: 'Si aucun portefeuille ne s’est ouvert, appuyez de nouveau, ou scannez le code avec un autre appareil.',
    noWallet: 'Pas encore de portefeuille ?',
    getWallet:
      'Un portefeuille est une application pour vos attestations. Installez-en un sur votre téléphone, puis rouvrez cette page :',
    askWallet:
      'Un portefeuille est une application pour vos attestations. Demandez à l’émetteur quelle application vous pouvez utiliser.',
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
    otherDevice: 'Usar otro dispositivo',
    scan: 'Escanee el código con el teléfono que tiene su cartera.',
    qr: 'Código QR de la oferta, para su cartera',
    add: 'Añadir a la cartera',
    refused: 'Si no se abrió ninguna cartera, pulse otra vez o escanee el código con otro dispositivo.',
    noWallet: '¿Aún no tiene cartera?',
    getWallet:
      'Una cartera es una aplicación para sus credenciales. Instale una en su teléfono y vuelva a abrir esta página:',
    askWallet: 'Una cartera es una aplicación para sus credenciales. Pregunte al emisor qué aplicación puede usar.',
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
