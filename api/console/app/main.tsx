import { render } from 'preact'
import { watchBack } from './kit/unsaved.ts'
import { App } from './shell/app.tsx'
import './shell/style.css'

watchBack()
const place = document.getElementById('console')
if (place) render(<App />, place)
