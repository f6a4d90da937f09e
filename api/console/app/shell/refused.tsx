import { say, type Text } from '../kit/language.ts'
import { Screen } from '../kit/screen.tsx'
import { ProblemMessage } from '../kit/states.tsx'

/** The screen for users without a role of the area. */
export function Refused({ title }: { title: Text }) {
  return (
    <Screen title={say(title)}>
      <ProblemMessage problem={{ kind: 'forbidden', details: [] }} />
    </Screen>
  )
}
