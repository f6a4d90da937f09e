import { texts } from '../../kit/language.ts'

export const offerTexts = texts({
  offers: { en: 'Offers', de: 'Angebote' },
  create: { en: 'New offer', de: 'Neues Angebot' },
  empty: {
    en: 'No offer yet. An offer is what a person scans to get a credential into their wallet.',
    de: 'Noch kein Angebot. Ein Angebot scannt, wer einen Nachweis in seine Wallet bekommen soll.',
  },
  noneSuch: { en: 'No offer is in this state.', de: 'Kein Angebot ist in diesem Zustand.' },
  offer: { en: 'Offer', de: 'Angebot' },
  kind: { en: 'Kind', de: 'Art' },
  preAuthorized: { en: 'for one person', de: 'für eine Person' },
  shared: { en: 'for anybody who signs in', de: 'für alle, die sich anmelden' },
  ends: { en: 'Ends', de: 'Endet' },
  page: { en: 'Page', de: 'Seite' },
  usable: { en: 'open', de: 'offen' },
  spent: { en: 'opened by a wallet', de: 'von einer Wallet geöffnet' },
  claimed: { en: 'collected', de: 'abgeholt' },
  ended: { en: 'used up', de: 'aufgebraucht' },
  expired: { en: 'expired', de: 'abgelaufen' },
})
