import { render } from 'preact'
import { watchBack } from './kit/unsaved.ts'
import { App } from './shell/app.tsx'
import './shell/style.css'

watchBack()
const root = document.getElementById('console')
if (root) render(<App />, root)
