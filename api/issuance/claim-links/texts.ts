import type { Outcome, Texts } from '../offer-page/texts.ts'
import type { ShownClaimLink } from './shown.ts'

/** `gone`: the link was removed or renewed while a person looked at its page. */
type Ended = Exclude<ShownClaimLink['state'], 'offered'> | 'gone'

interface LinkTexts {
  ready: Outcome & { button: string }
  /** The button of a link that is open in a wallet. */
  again: string
  collected: string
  /** The headings of a link that has ended, and the advice for all of them. */
  expired: string
  revoked: string
  askForNew: string
  /** The text before the end of the link. */
  until: string
  /** The advice for a link that needs a sign-in. */
  signIn: string
}

const linkTexts: Record<string, LinkTexts> = {
  en: {
    ready: {
      title: 'Continue with your wallet',
      advice: 'You then have 10 minutes to add the credential. You can open this link again until you have it.',
      button: 'Continue',
    },
    again: 'Start again',
    collected: 'The credential was collected with this link. You can close this page.',
    expired: 'This link has expired',
    revoked: 'This link is no longer valid',
    askForNew: 'Please ask the issuer for a new link.',
    until: 'This link is valid until',
    signIn: 'Your wallet will ask you to sign in.',
  },
  de: {
    ready: {
      title: 'Mit Ihrer Wallet fortfahren',
      advice:
        'Sie haben dann 10 Minuten Zeit, den Nachweis hinzuzufügen. Bis Sie ihn haben, können Sie diesen Link erneut öffnen.',
      button: 'Weiter',
    },
    again: 'Neu beginnen',
    collected: 'Der Nachweis wurde mit diesem Link abgeholt. Sie können diese Seite schließen.',
    expired: 'Dieser Link ist abgelaufen',
    revoked: 'Dieser Link ist nicht mehr gültig',
    askForNew: 'Bitte fragen Sie die ausstellende Stelle nach einem neuen Link.',
    until: 'Dieser Link ist gültig bis',
    signIn: 'Ihre Wallet wird Sie bitten, sich anzumelden.',
  },
  fr: {
    ready: {
      title: 'Continuer avec votre portefeuille',
      advice:
        'Vous avez ensuite 10 minutes pour ajouter l’attestation. Vous pouvez rouvrir ce lien tant que vous ne l’avez pas.',
      button: 'Continuer',
    },
    again: 'Recommencer',
    collected: 'L’attestation a été obtenue avec ce lien. Vous pouvez fermer cette page.',
    expired: 'Ce lien a expiré',
    revoked: 'Ce lien n’est plus valable',
    askForNew: 'Demandez un nouveau lien à qui vous l’a donné.',
    until: 'Ce lien est valable jusqu’au',
    signIn: 'Votre portefeuille vous demandera de vous connecter.',
  },
  es: {
    ready: {
      title: 'Continuar con su cartera',
      advice:
        'Después tiene 10 minutos para añadir la credencial. Puede abrir este enlace otra vez hasta que la tenga.',
      button: 'Continuar',
    },
    again: 'Empezar de nuevo',
    collected: 'La credencial se obtuvo con este enlace. Puede cerrar esta página.',
    expired: 'Este enlace ha caducado',
    revoked: 'Este enlace ya no es válido',
    askForNew: 'Pida un enlace nuevo a quien se lo dio.',
    until: 'Este enlace es válido hasta',
    signIn: 'Su cartera le pedirá que inicie sesión.',
  },
}

/** Returns the texts of claim links in a language of the offer page. */
export function claimLinkTexts(language: string): LinkTexts {
  const texts = linkTexts[language] ?? linkTexts.en
  if (!texts) throw new Error('the English texts are missing')
  return texts
}

/** Returns the outcomes of a claim link that is valid until `end`. */
export function claimLinkOutcomes(
  { ready, again, collected, expired, revoked, askForNew, until, signIn }: LinkTexts,
  { outcomes }: Texts,
  { end, needsSignIn }: { end: string; needsSignIn: boolean },
): Record<Ended, Outcome> {
  const ended = { title: revoked, advice: askForNew }
  const tooManyCodes = outcomes.usedUp.advice.split('. ', 1)[0]
  return {
    ready: { ...ready, advice: [ready.advice, ...(needsSignIn ? [signIn] : []), `${until} ${end}.`].join(' ') },
    opened: { ...outcomes.opened, button: again },
    collected: { ...outcomes.collected, advice: collected },
    expired: { title: expired, advice: askForNew },
    usedUp: { title: revoked, advice: `${tooManyCodes}. ${askForNew}` },
    revoked: ended,
    gone: ended,
  }
}
