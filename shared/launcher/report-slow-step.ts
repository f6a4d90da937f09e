const firstAfterMs = 3_000
const thenEveryMs = 10_000

/**
 * Waits for `work`. Prints what happens meanwhile once the wait takes 3 s, and every 10 s from then on. Prints nothing while `step` returns
 * undefined.
 */
export async function reportIfSlow<Result>(step: () => string | undefined, work: Promise<Result>): Promise<Result> {
  const startedAt = Date.now()
  const tell = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    const current = step()
    if (current) console.log(`Please wait: ${current} (${seconds} s so far).`)
    timer = setTimeout(tell, thenEveryMs)
  }
  let timer = setTimeout(tell, firstAfterMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
