import { render } from 'preact'
import { App } from './shell/app.tsx'
import './shell/style.css'

const place = document.getElementById('console')
if (place) render(<App />, place)
