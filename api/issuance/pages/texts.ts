import Negotiator from 'negotiator'
import type { Headers } from '../../../http/route.ts'

/** What a page says: a heading, what happened, and what the person can do. */
export interface Text {
  title: string
  happened: string
  advice: string
}

export type PageName = 'failed' | 'expired' | 'handedBack' | 'request' | 'busy' | 'trouble'

const texts: Record<string, Record<PageName, Text>> = {
  en: {
    failed: {
      title: 'The sign-in could not be completed',
      happened: 'The answer that came back does not belong to a sign-in that you started in this browser.',
      advice: 'Go back to your wallet and start again.',
    },
    expired: {
      title: 'This sign-in has ended',
      happened: 'It took too long, or it was ended.',
      advice: 'Go back to your wallet and start again.',
    },
    handedBack: {
      title: 'You have signed in',
      happened: 'Your wallet has taken over from here.',
      advice: 'You can close this page and go back to your wallet.',
    },
    request: {
      title: 'Your wallet asked for something that is not possible',
      happened: 'The request did not come from a wallet that is known here, or it is not complete.',
      advice: 'Go back to your wallet. If it happens again, tell whoever offered you the credential.',
    },
    busy: {
      title: 'Too many people at once',
      happened: 'More requests came from your network than are taken in a minute.',
      advice: 'Wait a minute, then go back to your wallet and start again.',
    },
    trouble: {
      title: 'Something went wrong on our side',
      happened: 'Nothing was issued, and nothing is lost.',
      advice: 'Wait a moment, then go back to your wallet and start again.',
    },
  },
  de: {
    failed: {
      title: 'Die Anmeldung konnte nicht abgeschlossen werden',
      happened: 'Die Antwort gehört nicht zu einer Anmeldung, die Sie in diesem Browser begonnen haben.',
      advice: 'Gehen Sie zurück zu Ihrer Wallet und beginnen Sie noch einmal.',
    },
    expired: {
      title: 'Diese Anmeldung ist beendet',
      happened: 'Sie hat zu lange gedauert oder wurde beendet.',
      advice: 'Gehen Sie zurück zu Ihrer Wallet und beginnen Sie noch einmal.',
    },
    handedBack: {
      title: 'Sie haben sich angemeldet',
      happened: 'Ihre Wallet hat übernommen.',
      advice: 'Sie können diese Seite schließen und zu Ihrer Wallet zurückkehren.',
    },
    request: {
      title: 'Was Ihre Wallet verlangt, ist nicht möglich',
      happened: 'Die Anfrage kam nicht von einer hier bekannten Wallet, oder sie ist unvollständig.',
      advice: 'Gehen Sie zurück zu Ihrer Wallet. Geschieht es wieder, wenden Sie sich an die ausstellende Stelle.',
    },
    busy: {
      title: 'Zu viele auf einmal',
      happened: 'Aus Ihrem Netz kamen mehr Anfragen, als in einer Minute angenommen werden.',
      advice: 'Warten Sie eine Minute und beginnen Sie dann in Ihrer Wallet noch einmal.',
    },
    trouble: {
      title: 'Bei uns ist etwas schiefgegangen',
      happened: 'Es wurde nichts ausgestellt, und nichts ist verloren.',
      advice: 'Warten Sie einen Moment und beginnen Sie dann in Ihrer Wallet noch einmal.',
    },
  },
  fr: {
    failed: {
      title: 'La connexion n’a pas pu aboutir',
      happened: 'La réponse reçue ne correspond à aucune connexion commencée dans ce navigateur.',
      advice: 'Revenez à votre portefeuille et recommencez.',
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
    request: {
      title: 'La demande de votre portefeuille n’est pas possible',
      happened: 'Elle ne vient pas d’un portefeuille connu ici, ou elle est incomplète.',
      advice: 'Revenez à votre portefeuille. Si cela se reproduit, prévenez l’organisme émetteur.',
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
  es: {
    failed: {
      title: 'No se pudo completar el inicio de sesión',
      happened: 'La respuesta no corresponde a un inicio de sesión comenzado en este navegador.',
      advice: 'Vuelva a su cartera y empiece de nuevo.',
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
    request: {
      title: 'Lo que pide su cartera no es posible',
      happened: 'La solicitud no viene de una cartera conocida aquí, o está incompleta.',
      advice: 'Vuelva a su cartera. Si ocurre otra vez, avise a quien le ofreció la credencial.',
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
}

/** The text in the language that the browser prefers, of those there are. */
export function textOf(page: PageName, headers: Headers): { language: string; text: Text } {
  const [language = 'en'] = new Negotiator({ headers }).languages(Object.keys(texts))
  const inLanguage = texts[language] ?? texts.en
  if (!inLanguage) throw new Error('there is no English')
  return { language, text: inLanguage[page] }
}
