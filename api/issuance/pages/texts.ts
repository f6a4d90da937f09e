import Negotiator from 'negotiator'
import type { Headers } from '../../http/route.ts'

/** The text of a page: a heading, the event, and advice for the person. */
export interface Text {
  title: string
  happened: string
  advice: string
}

export type PageName =
  | 'failed'
  | 'step'
  | 'expired'
  | 'handedBack'
  | 'unavailable'
  | 'request'
  | 'noOffer'
  | 'busy'
  | 'trouble'

/** The texts that all pages share. */
interface Labels {
  /** The label of the link to the wallet. */
  back: string
  /** The text before the reference of the request. */
  help: string
  /** The text before the technical message, which is in English. */
  detail: string
  /** The text before the contact of the issuer. */
  contact: string
}

interface Texts {
  labels: Labels
  pages: Record<PageName, Text>
}

const texts: Record<string, Texts> = {
  en: {
    labels: {
      back: 'Back to the wallet',
      help: 'If you need help, please mention this reference:',
      detail: 'Details:',
      contact: 'Contact:',
    },
    pages: {
      failed: {
        title: 'The sign-in could not be completed',
        happened: 'The response does not belong to a sign-in that you started in this browser.',
        advice: 'Please go back to your wallet and start again.',
      },
      step: {
        title: 'The sign-in could not be completed',
        happened: 'The step after the sign-in returned an invalid response.',
        advice:
          'Please go back to your wallet and start again. If it happens again, please contact the issuer of the credential.',
      },
      expired: {
        title: 'This sign-in has ended',
        happened: 'It took too long, or it was cancelled.',
        advice: 'Please go back to your wallet and start again.',
      },
      handedBack: {
        title: 'You have signed in',
        happened: 'Your wallet continues from here.',
        advice: 'You can close this page and go back to your wallet.',
      },
      unavailable: {
        title: 'You cannot sign in at the moment',
        happened: 'The sign-in service did not respond correctly.',
        advice:
          'Please go back to your wallet and try again later. If it happens again, please contact the issuer of the credential.',
      },
      request: {
        title: 'Your wallet sent a request that is not possible',
        happened: 'The wallet is not known here, or its request is incomplete.',
        advice: 'Please go back to your wallet. If it happens again, please contact the issuer of the credential.',
      },
      noOffer: {
        title: 'This link is no longer valid',
        happened: 'It may have been withdrawn, expired or copied incompletely.',
        advice: 'Please ask the issuer for a new link.',
      },
      busy: {
        title: 'Too many requests at once',
        happened: 'Your network sent too many requests in one minute.',
        advice: 'Please wait a minute. Then go back to your wallet and start again.',
      },
      trouble: {
        title: 'Something went wrong on our side',
        happened: 'No credential was issued, and no data was lost.',
        advice: 'Please wait a moment. Then go back to your wallet and start again.',
      },
    },
  },
  de: {
    labels: {
      back: 'Zurück zur Wallet',
      help: 'Wenn Sie Hilfe brauchen, nennen Sie bitte diese Kennung:',
      detail: 'Einzelheiten:',
      contact: 'Kontakt:',
    },
    pages: {
      failed: {
        title: 'Die Anmeldung konnte nicht abgeschlossen werden',
        happened: 'Die Antwort gehört nicht zu einer Anmeldung, die Sie in diesem Browser begonnen haben.',
        advice: 'Bitte gehen Sie zurück zu Ihrer Wallet und beginnen Sie noch einmal.',
      },
      step: {
        title: 'Die Anmeldung konnte nicht abgeschlossen werden',
        happened: 'Der Schritt nach der Anmeldung hat eine ungültige Antwort geliefert.',
        advice:
          'Bitte gehen Sie zurück zu Ihrer Wallet und beginnen Sie noch einmal. Wenn es wieder geschieht, wenden Sie sich bitte an die ausstellende Stelle.',
      },
      expired: {
        title: 'Diese Anmeldung ist beendet',
        happened: 'Sie hat zu lange gedauert oder wurde abgebrochen.',
        advice: 'Bitte gehen Sie zurück zu Ihrer Wallet und beginnen Sie noch einmal.',
      },
      handedBack: {
        title: 'Sie haben sich angemeldet',
        happened: 'In Ihrer Wallet geht es weiter.',
        advice: 'Sie können diese Seite schließen und zu Ihrer Wallet zurückkehren.',
      },
      unavailable: {
        title: 'Sie können sich im Moment nicht anmelden',
        happened: 'Der Anmeldedienst hat nicht richtig geantwortet.',
        advice:
          'Bitte gehen Sie zurück zu Ihrer Wallet und versuchen Sie es später noch einmal. Wenn es wieder geschieht, wenden Sie sich bitte an die ausstellende Stelle.',
      },
      request: {
        title: 'Die Anfrage Ihrer Wallet ist nicht möglich',
        happened: 'Die Wallet ist hier nicht bekannt, oder ihre Anfrage ist unvollständig.',
        advice:
          'Bitte gehen Sie zurück zu Ihrer Wallet. Wenn es wieder geschieht, wenden Sie sich bitte an die ausstellende Stelle.',
      },
      noOffer: {
        title: 'Dieser Link ist nicht mehr gültig',
        happened: 'Er wurde vielleicht zurückgezogen, ist abgelaufen oder wurde unvollständig kopiert.',
        advice: 'Bitte fragen Sie die ausstellende Stelle nach einem neuen Link.',
      },
      busy: {
        title: 'Zu viele Anfragen auf einmal',
        happened: 'Aus Ihrem Netz kamen in einer Minute zu viele Anfragen.',
        advice: 'Bitte warten Sie eine Minute. Beginnen Sie dann in Ihrer Wallet noch einmal.',
      },
      trouble: {
        title: 'Bei uns ist etwas schiefgegangen',
        happened: 'Es wurde kein Nachweis ausgestellt, und es sind keine Daten verloren.',
        advice: 'Bitte warten Sie einen Moment. Beginnen Sie dann in Ihrer Wallet noch einmal.',
      },
    },
  },
  fr: {
    labels: {
      back: 'Retour au portefeuille',
      help: 'Si vous demandez de l’aide, indiquez cette référence :',
      detail: 'Ce qui ne va pas :',
      contact: 'Contact :',
    },
    pages: {
      failed: {
        title: 'La connexion n’a pas pu aboutir',
        happened: 'La réponse reçue ne correspond à aucune connexion commencée dans ce navigateur.',
        advice: 'Revenez à votre portefeuille et recommencez.',
      },
      step: {
        title: 'La connexion n’a pas pu aboutir',
        happened: 'La réponse de l’étape qui suit la connexion ne peut pas être acceptée.',
        advice: 'Revenez à votre portefeuille et recommencez. Si cela se reproduit, prévenez l’organisme émetteur.',
      },
      expired: {
        title: 'Cette connexion est terminée',
        happened: 'Elle a pris trop de temps, ou elle a été arrêtée.',
        advice: 'Revenez à votre portefeuille et recommencez.',
      },
      handedBack: {
        title: 'Vous êtes connecté',
        happened: 'Votre portefeuille a pris le relais.',
        advice: 'Vous pouvez fermer cette page et revenir à votre portefeuille.',
      },
      unavailable: {
        title: 'La connexion est impossible pour le moment',
        happened: 'Le service de connexion n’a pas donné de réponse utilisable.',
        advice:
          'Revenez à votre portefeuille et réessayez plus tard. Si cela se reproduit, prévenez l’organisme émetteur.',
      },
      request: {
        title: 'La demande de votre portefeuille n’est pas possible',
        happened: 'Elle ne vient pas d’un portefeuille connu ici, ou elle est incomplète.',
        advice: 'Revenez à votre portefeuille. Si cela se reproduit, prévenez l’organisme émetteur.',
      },
      noOffer: {
        title: 'Ce lien n’est plus valable',
        happened: 'Il a peut-être été retiré, a expiré ou a été copié en partie.',
        advice: 'Demandez un nouveau lien à qui vous l’a donné.',
      },
      busy: {
        title: 'Trop de demandes à la fois',
        happened: 'Votre réseau a envoyé plus de demandes qu’il n’en est accepté en une minute.',
        advice: 'Attendez une minute, puis recommencez depuis votre portefeuille.',
      },
      trouble: {
        title: 'Une erreur s’est produite de notre côté',
        happened: 'Rien n’a été émis et rien n’est perdu.',
        advice: 'Attendez un instant, puis recommencez depuis votre portefeuille.',
      },
    },
  },
  es: {
    labels: {
      back: 'Volver a la cartera',
      help: 'Si pide ayuda, indique esta referencia:',
      detail: 'Qué falla:',
      contact: 'Contacto:',
    },
    pages: {
      failed: {
        title: 'No se pudo completar el inicio de sesión',
        happened: 'La respuesta no corresponde a un inicio de sesión comenzado en este navegador.',
        advice: 'Vuelva a su cartera y empiece de nuevo.',
      },
      step: {
        title: 'No se pudo completar el inicio de sesión',
        happened: 'No se puede aceptar la respuesta del paso que sigue al inicio de sesión.',
        advice: 'Vuelva a su cartera y empiece de nuevo. Si ocurre otra vez, avise a quien le ofreció la credencial.',
      },
      expired: {
        title: 'Este inicio de sesión ha terminado',
        happened: 'Tardó demasiado, o se interrumpió.',
        advice: 'Vuelva a su cartera y empiece de nuevo.',
      },
      handedBack: {
        title: 'Ha iniciado sesión',
        happened: 'Su cartera continúa desde aquí.',
        advice: 'Puede cerrar esta página y volver a su cartera.',
      },
      unavailable: {
        title: 'Ahora no es posible iniciar sesión',
        happened: 'El servicio de inicio de sesión no dio una respuesta que se pueda usar.',
        advice:
          'Vuelva a su cartera e inténtelo más tarde. Si ocurre otra vez, avise a quien le ofreció la credencial.',
      },
      request: {
        title: 'Lo que pide su cartera no es posible',
        happened: 'La solicitud no viene de una cartera conocida aquí, o está incompleta.',
        advice: 'Vuelva a su cartera. Si ocurre otra vez, avise a quien le ofreció la credencial.',
      },
      noOffer: {
        title: 'Este enlace ya no es válido',
        happened: 'Puede que se haya retirado, que haya caducado o que se haya copiado incompleto.',
        advice: 'Pida un enlace nuevo a quien se lo dio.',
      },
      busy: {
        title: 'Demasiadas solicitudes a la vez',
        happened: 'Desde su red llegaron más solicitudes de las que se aceptan en un minuto.',
        advice: 'Espere un minuto y empiece de nuevo desde su cartera.',
      },
      trouble: {
        title: 'Algo ha fallado por nuestra parte',
        happened: 'No se ha emitido nada y nada se ha perdido.',
        advice: 'Espere un momento y empiece de nuevo desde su cartera.',
      },
    },
  },
}

/** Returns the texts in the supported language that the browser prefers. */
export function pageTexts(headers: Headers): Texts & { language: string } {
  const [language = 'en'] = new Negotiator({ headers }).languages(Object.keys(texts))
  const inLanguage = texts[language] ?? texts.en
  if (!inLanguage) throw new Error('the English texts are missing')
  return { language, ...inLanguage }
}
