import { say, type Text } from '../kit/language.ts'
import { Screen } from '../kit/screen.tsx'
import { Trouble } from '../kit/states.tsx'

/** Stands at the addresses of an area for whoever has none of its roles. */
export function Refused({ title }: { title: Text }) {
  return (
    <Screen title={say(title)}>
      <Trouble problem={{ kind: 'forbidden', details: [] }} />
    </Screen>
  )
}
