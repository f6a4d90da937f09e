import Negotiator from 'negotiator'
import type { Headers } from '../../http/route.ts'
import type { OfferOnPage } from '../offers/shown.ts'

/** What became of an offer: a heading, and what the person can do. */
interface Outcome {
  title: string
  advice: string
}

/** `gone`: it was deleted while somebody looked at it. */
type Ended = Exclude<OfferOnPage['state'], 'offered'> | 'gone'

export interface Texts {
  /** The heading, for one and for several. */
  one: string
  several: string
  /** Before the number of those that are not named. */
  more: string
  scan: string
  qr: string
  open: string
  add: string
  /** The browser could not add it. */
  refused: string
  /** An offer for anybody: they sign in first. */
  signIn: string
  /** Before the code's own description, where it has one. */
  code: string
  /** Before the minutes and seconds that are left. */
  left: string
  /** Before the end, on paper. */
  until: string
  refresh: string
  outcomes: Record<Ended, Outcome>
}

const texts: Record<string, Texts> = {
  en: {
    one: 'A credential for you',
    several: 'Credentials for you',
    more: 'and others:',
    scan: 'Scan the code with the phone that has your wallet, or open the offer on this device.',
    qr: 'QR code of the offer, for your wallet',
    open: 'Open on this device',
    add: 'Add to wallet',
    refused: 'The browser did not pass the offer on to a wallet. Scan the code, or open the offer on this device.',
    signIn: 'Your wallet then asks you to sign in.',
    code: 'Your wallet asks for a code of six digits, which you receive in another way.',
    left: 'Time left:',
    until: 'Valid until',
    refresh: 'See what has become of the offer',
    outcomes: {
      opened: { title: 'A wallet has opened the offer', advice: 'Carry on in your wallet.' },
      collected: { title: 'Done', advice: 'It is in your wallet. You can close this page.' },
      expired: { title: 'This offer has expired', advice: 'Ask whoever gave it to you for a new one.' },
      usedUp: {
        title: 'This offer has ended',
        advice: 'Its code was entered wrongly too often. Ask whoever gave it to you for a new one.',
      },
      gone: { title: 'This offer was withdrawn', advice: 'Ask whoever gave it to you for a new one.' },
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
      'Der Browser hat das Angebot keiner Wallet übergeben. Scannen Sie den Code, oder öffnen Sie das Angebot auf diesem Gerät.',
    signIn: 'Ihre Wallet bittet Sie dann, sich anzumelden.',
    code: 'Ihre Wallet fragt nach einem Code aus sechs Ziffern, den Sie auf anderem Weg erhalten.',
    left: 'Verbleibende Zeit:',
    until: 'Gültig bis',
    refresh: 'Nachsehen, was aus dem Angebot geworden ist',
    outcomes: {
      opened: { title: 'Eine Wallet hat das Angebot geöffnet', advice: 'Fahren Sie in Ihrer Wallet fort.' },
      collected: { title: 'Fertig', advice: 'Der Nachweis ist in Ihrer Wallet. Sie können diese Seite schließen.' },
      expired: {
        title: 'Dieses Angebot ist abgelaufen',
        advice: 'Bitten Sie die Stelle, von der Sie es haben, um ein neues.',
      },
      usedUp: {
        title: 'Dieses Angebot ist beendet',
        advice: 'Sein Code wurde zu oft falsch eingegeben. Bitten Sie die Stelle, von der Sie es haben, um ein neues.',
      },
      gone: {
        title: 'Dieses Angebot wurde zurückgezogen',
        advice: 'Bitten Sie die Stelle, von der Sie es haben, um ein neues.',
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

/** In the language that the browser prefers, of those there are. */
export function offerTexts(headers: Headers): { language: string; texts: Texts } {
  const [language = 'en'] = new Negotiator({ headers }).languages(Object.keys(texts))
  const inLanguage = texts[language] ?? texts.en
  if (!inLanguage) throw new Error('there is no English')
  return { language, texts: inLanguage }
}

/** Of things that are said once for each language, the one for this reader; else the one that is for everybody, or the first. */
export function forReader<Each extends { locale?: string | undefined }>(
  all: readonly Each[],
  headers: Headers,
): Each | undefined {
  const locales = all.flatMap(({ locale }) => (locale === undefined ? [] : [locale]))
  const [wanted] = headers['accept-language'] === undefined ? [] : new Negotiator({ headers }).languages(locales)
  const ofReader = wanted === undefined ? undefined : all.find(({ locale }) => locale === wanted)
  return ofReader ?? all.find(({ locale }) => locale === undefined) ?? all[0]
}
