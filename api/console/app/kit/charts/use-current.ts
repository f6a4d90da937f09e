import { useState } from 'preact/hooks'

type Direction = 'horizontal' | 'vertical'

const steps: Record<Direction, Record<string, number>> = {
  horizontal: { ArrowLeft: -1, ArrowRight: 1 },
  vertical: { ArrowUp: -1, ArrowDown: 1 },
}

/**
 * The item of a chart whose values are shown: the one under the pointer, or the one that the arrow keys reached. The keys move in the
 * direction of the items. The other arrow keys still scroll the page.
 */
export function useCurrent(count: number, direction: Direction) {
  const [chosen, choose] = useState<number>()
  const current = chosen !== undefined && chosen < count ? chosen : undefined
  const last = count - 1

  function placeAfter(key: string): number | undefined {
    if (key === 'Home') return 0
    if (key === 'End') return last
    const step = steps[direction][key]
    return step && Math.min(last, Math.max(0, (current ?? last) + step))
  }

  return {
    current,
    choose,
    /** The properties of the element that has the focus. */
    keys: {
      tabIndex: 0,
      onFocus: () => choose(current ?? (direction === 'horizontal' ? last : 0)),
      onBlur: () => choose(undefined),
      onKeyDown: (event: KeyboardEvent) => {
        const place = placeAfter(event.key)
        if (place === undefined) return
        event.preventDefault()
        choose(place)
      },
      // A finger that is lifted leaves the chart too. The values stay.
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType !== 'touch') choose(undefined)
      },
    },
  }
}
