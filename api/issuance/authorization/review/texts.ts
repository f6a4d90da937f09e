import type { Headers } from '../../../http/route.ts'
import { offerTexts } from '../../offer-page/texts.ts'

interface ReviewTexts {
  /** The heading, for one and for several credentials. */
  one: string
  several: string
  /** The text before the name of the wallet. */
  wallet: string
  /** The sentence about the next step. */
  next: string
  /** The advice for a person who did not start this. */
  unexpected: string
  continue: string
  cancel: string
}

const texts: Record<string, ReviewTexts> = {
  en: {
    one: 'You will receive this credential',
    several: 'You will receive these credentials',
    wallet: 'Your wallet:',
    next: 'Next, you sign in. Then the credential is issued to your wallet.',
    unexpected: 'If you did not start this in your wallet, please cancel.',
    continue: 'Continue',
    cancel: 'Cancel',
  },
  de: {
    one: 'Sie erhalten diesen Nachweis',
    several: 'Sie erhalten diese Nachweise',
    wallet: 'Ihre Wallet:',
    next: 'Als Nächstes melden Sie sich an. Danach wird der Nachweis für Ihre Wallet ausgestellt.',
    unexpected: 'Wenn Sie das nicht in Ihrer Wallet begonnen haben, brechen Sie bitte ab.',
    continue: 'Weiter',
    cancel: 'Abbrechen',
  },
  fr: {
    one: 'Vous allez recevoir cette attestation',
    several: 'Vous allez recevoir ces attestations',
    wallet: 'Votre portefeuille :',
    next: 'Vous allez d’abord vous connecter. L’attestation sera ensuite délivrée à votre portefeuille.',
    unexpected: 'Si vous n’avez pas commencé cela dans votre portefeuille, annulez.',
    continue: 'Continuer',
    cancel: 'Annuler',
  },
  es: {
    one: 'Va a recibir esta credencial',
    several: 'Va a recibir estas credenciales',
    wallet: 'Su cartera:',
    next: 'A continuación inicia sesión. Después, la credencial se emite a su cartera.',
    unexpected: 'Si no ha empezado esto en su cartera, cancele.',
    continue: 'Continuar',
    cancel: 'Cancelar',
  },
}

/** Returns the texts of the review in the language in which the person would see the page of an offer. */
export function reviewTexts(headers: Headers): { language: string; texts: ReviewTexts; more: string } {
  const { language, texts: ofOffer } = offerTexts(headers)
  const inLanguage = texts[language] ?? texts.en
  if (!inLanguage) throw new Error('the English texts are missing')
  return { language, texts: inLanguage, more: ofOffer.more }
}
