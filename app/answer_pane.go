package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/engine/report"
	"cairn/internal/wording"
)

// answerPane shows what is said in reply: sentences with their citations and
// the result of the check, verdicts, refusals, readings to choose from, errors,
// and where there is nothing yet, questions to begin with.
type answerPane struct {
	root   fyne.CanvasObject
	box    *fyne.Container
	scroll *container.Scroll
	do     answerActions
	// What a model is writing, above the direct answer.
	writing *fyne.Container
	draftOf *widget.Label // says whose it is and that it is not checked
	words   *widget.Label
	lesson  *fyne.Container // what the chosen reading teaches
	reasons *fyne.Container // why something is an answer, or why not
}

// answerActions are what the user can do from the answer.
type answerActions struct {
	cite    func(number int)          // a citation was pressed
	light   func(number int, on bool) // a citation is pointed at, or no longer
	answer  func(e kg.EntityID)       // an answering entity was pressed
	reading func(index int)           // another reading was chosen
	ask     func(question string)     // an example was pressed
	edges   func(ids []string)        // edges of the picture are to light up
	explain func(name string)         // asks why something is an answer, or why not
	copyAll func()
	// copyText puts one sentence on the clipboard.
	copyText func(text string)
	prompts  func() // asks to see what the model was asked
	other    func() // asks the other retriever the same
	putBack  func() // puts back what is left out
	hint     func(string)
}

func newAnswerPane(do answerActions) *answerPane {
	p := &answerPane{box: container.NewVBox(), writing: container.NewVBox(), do: do}
	p.scroll = scrolled(p.box)
	p.root = p.scroll
	return p
}

// What is shown of a long answer; copying it has everything.
const (
	maxSentences = 40
	maxAnswers   = 60
	maxChips     = 8   // citations after one sentence
	shownLink    = 40  // characters of a name that can be asked about
	shownDraft   = 180 // characters of what a model is writing
	levelWidth   = 40  // of the bar of a probability
)

// set replaces what is shown.
func (p *answerPane) set(objects ...fyne.CanvasObject) {
	p.box.Objects = objects
	p.box.Refresh()
	p.scroll.ScrollToTop()
}

// notice shows a few texts and what can be done, in place of an answer.
func (p *answerPane) notice(head fyne.CanvasObject, texts []string, below ...fyne.CanvasObject) {
	objects := []fyne.CanvasObject{head}
	for _, t := range texts {
		if t != "" {
			objects = append(objects, wrapped(widget.NewLabel(t)))
		}
	}
	p.set(append(objects, below...)...)
}

// inRows gives each object a row of its own, of which it takes what it needs.
func inRows(objects []fyne.CanvasObject) []fyne.CanvasObject {
	return wording.Each(objects, func(o fyne.CanvasObject) fyne.CanvasObject { return container.NewHBox(o) })
}

// showEmpty invites to a first question.
func (p *answerPane) showEmpty(title, text string, examples []string) {
	p.notice(heading(title), []string{text}, wording.Each(examples, p.example)...)
}

// showActions invites to something else than a question.
func (p *answerPane) showActions(title, text string, actions ...fyne.CanvasObject) {
	p.notice(heading(title), []string{text}, inRows(actions)...)
}

// example is a question that can be pressed.
func (p *answerPane) example(q string) fyne.CanvasObject {
	f := newFlow(theme.SizeNameText)
	f.add(q, fyne.TextStyle{}, theme.ColorNameForeground)
	return newPressable(f, colorSunken, func() { p.do.ask(q) }).hinted(8, "Ask this", p.do.hint)
}

// showBusy stands until the answer is there, and says what is being done.
func (p *answerPane) showBusy(question, doing string) {
	l := wrapped(widget.NewLabel(doing))
	l.Importance = widget.LowImportance
	p.set(p.question(question), l)
}

// beginDraft makes room above the answer's sentences for what a model writes.
func (p *answerPane) beginDraft(model string) {
	model = cmp.Or(model, "The model")
	p.draftOf = wrapped(caption(model + " is writing the answer …"))
	p.words = wrapped(widget.NewLabel(""))
	p.words.TextStyle.Italic, p.words.Importance = true, widget.LowImportance
	p.words.Hide()
	p.writing.Objects = []fyne.CanvasObject{newQuote(container.New(stacked, p.draftOf, p.words))}
	p.writing.Refresh()
}

// draft shows the end of what the model has written so far, so that what stands
// below stays where it is; nothing where it begins anew.
func (p *answerPane) draft(text string) {
	if len(p.writing.Objects) == 0 {
		return
	}
	p.draftOf.SetText("Draft · not checked yet")
	setLabel(p.words, present.Tail(text, shownDraft))
	p.writing.Refresh()
}

// endDraft takes the draft away and says why.
func (p *answerPane) endDraft(why string) {
	l := wrapped(caption(why))
	l.Importance = widget.WarningImportance
	p.writing.Objects = []fyne.CanvasObject{l}
	p.writing.Refresh()
}

// showError says what went wrong and what to do.
func (p *answerPane) showError(title, sentence, remedy string, actions ...fyne.CanvasObject) {
	head := wrapped(heading(title))
	head.Importance = widget.DangerImportance
	p.notice(head, []string{sentence, remedy}, inRows(actions)...)
}

func (p *answerPane) showStopped(question string) {
	p.set(p.question(question), heading("Stopped"), wrapped(widget.NewLabel("You stopped this question. Nothing was changed.")))
}

// showRun shows the answer of a finished run, and how it compares.
func (p *answerPane) showRun(g *kg.Graph, run *engine.Run, other comparison) {
	var objects []fyne.CanvasObject
	if len(run.Without) > 0 {
		objects = append(objects, p.whatIf(run, other.whatIf))
	}
	objects = append(objects, p.marked(run), p.headline(run))
	if asked := present.AskedLine(run); asked != "" {
		objects = append(objects, wrapped(caption(asked)))
	}
	if other.said != "" {
		objects = append(objects, newQuote(wrapped(caption(other.said))))
	}
	unsaid := present.Unsaid(run)
	if doubt := cmp.Or(unsaid, present.Doubt(run)); doubt != "" {
		objects = append(objects, warning(widget.NewLabel(doubt)))
	}
	for _, taken := range present.Taken(g, run) {
		objects = append(objects, warning(widget.NewLabel(taken)))
	}
	objects = append(objects, p.madeBy(run)...)
	if run.Answer != nil && run.Answer.Refusal != nil {
		objects = append(objects, p.refusal(run)...)
	}
	p.writing = container.NewVBox()
	objects = append(objects, p.writing)
	cards, rows := present.Cards(g, run), present.Sentences(run.Answer)
	if len(cards) > 0 {
		rows = report.BesideCards(rows)
	}
	for _, c := range cards {
		objects = append(objects, p.card(c))
	}
	rows = slices.DeleteFunc(rows, func(s report.Sentence) bool { return s.Note && s.Text == unsaid }) // it stands above
	objects = append(objects, p.sentences(rows)...)
	objects = append(objects, p.timeline(present.Timeline(g, run))...)
	objects = append(objects, p.makers(run)...)
	for _, said := range present.Chosen(run) {
		objects = append(objects, wrapped(caption(said)))
	}
	p.lesson = container.NewVBox()
	objects = append(objects, p.readings(g, run), p.lesson)
	objects = append(objects, p.answers(g, run)...)
	objects = append(objects, p.excluded(present.Excluded(g, run))...)
	if basis := present.Basis(run); basis != "" {
		objects = append(objects, wrapped(caption(basis)))
	}
	if present.CanExplain(run) && p.do.explain != nil {
		objects = append(objects, p.explainer())
	}
	if other.offer != "" {
		objects = append(objects, p.offer(other.offer))
	}
	p.set(objects...)
}

// offer is a line that asks the other retriever the same.
func (p *answerPane) offer(what string) fyne.CanvasObject {
	return newPressable(wrapped(caption("▸ "+what)), "", p.do.other).hinted(0, what+", to compare the two answers (Ctrl+J)", p.do.hint)
}

func (p *answerPane) question(q string) fyne.CanvasObject {
	return wrapped(caption(present.Shorten(present.OneLine(q), 300)))
}

// marked is the question with what the reading makes of each word: names are bold, words
// that ask for something are coloured, and what was not read is struck.
func (p *answerPane) marked(run *engine.Run) fyne.CanvasObject {
	rows := present.Words(run)
	if rows == nil || len(run.Question) > 300 {
		return p.question(run.Question)
	}
	f := newFlow(theme.SizeNameCaptionText)
	var said []string
	for i, r := range rows {
		style, color, struck := fyne.TextStyle{}, colorMuted, false
		switch r.Role {
		case plan.Filler:
		case plan.Named:
			style.Bold, color = true, theme.ColorNameForeground
		case plan.Related:
			color = theme.ColorNamePrimary
		case plan.Kind:
			style.Italic, color = true, theme.ColorNameForeground
		case plan.Valued, plan.Operator:
			style.Monospace, color = true, theme.ColorNameForeground
		case plan.Unread:
			struck, color = true, theme.ColorNameWarning
		}
		text := strings.TrimSpace(r.Text)
		if text == "" {
			continue
		}
		glued := i > 0 && !strings.HasSuffix(rows[i-1].Text, " ") && !strings.HasPrefix(r.Text, " ")
		f.addMarked(text, style, color, struck, glued)
		if !r.Gap && r.Role != plan.Filler {
			said = append(said, wording.Quote(text)+": "+r.Means())
		}
	}
	return container.New(margins{LeftPadding: 7, BottomPadding: 2}, newPressable(f, "", func() { p.do.copyText(run.Question) }).hinted(0, strings.Join(said, " · "), p.do.hint))
}

func (p *answerPane) headline(run *engine.Run) fyne.CanvasObject {
	text, _ := present.Glance(run)
	tone := present.ToneOf(run)
	head := wrapped(heading(text)) // its end says what is in doubt
	icon := theme.InfoIcon()
	switch tone {
	case present.Good:
		head.Importance, icon = widget.SuccessImportance, theme.NewSuccessThemedResource(theme.ConfirmIcon())
	case present.Bad:
		head.Importance, icon = widget.DangerImportance, theme.NewErrorThemedResource(theme.CancelIcon())
	case present.Doubtful:
		head.Importance, icon = widget.WarningImportance, theme.NewWarningThemedResource(theme.QuestionIcon())
	case present.Plain:
	}
	copyAll := iconButton(theme.ContentCopyIcon(), "Copy the answer with its citations and triples (Ctrl+Shift+C)", p.do.hint, p.do.copyAll)
	return container.NewBorder(nil, nil, container.NewHBox(widget.NewIcon(icon)), copyAll, head)
}

func (p *answerPane) refusal(run *engine.Run) []fyne.CanvasObject {
	r := run.Answer.Refusal
	var objects []fyne.CanvasObject
	if reason := present.Sentence(r.Reason); !said(run, reason) {
		objects = append(objects, wrapped(widget.NewLabel(reason)))
	}
	if len(r.Missing) > 0 {
		missing := container.New(stacked, bold("What was missing"))
		for _, m := range r.Missing {
			missing.Add(wrapped(widget.NewLabel("•  " + present.MissingText(m))))
		}
		objects = append(objects, newQuote(missing))
	}
	if len(r.Closest) > 0 {
		objects = append(objects, wrapped(caption("The closest match is listed below and shown in the picture. It is not an answer.")))
	}
	return objects
}

// said reports whether an answer's sentences say a text already.
func said(run *engine.Run, text string) bool {
	return slices.ContainsFunc(present.Sentences(run.Answer), func(s report.Sentence) bool {
		return present.Sentence(s.Text) == text
	})
}

func (p *answerPane) sentences(rows []report.Sentence) []fyne.CanvasObject {
	var objects []fyne.CanvasObject
	for i, s := range rows {
		if i == maxSentences {
			objects = append(objects, wrapped(caption(fmt.Sprintf("and %s; use Copy to see them all", present.Plural(len(rows)-i, "more sentence", "more sentences")))))
			break
		}
		objects = append(objects, container.New(margins{TopPadding: 2, RightPadding: 7, BottomPadding: 2, LeftPadding: 7}, p.sentence(s)))
	}
	if text := present.CheckSummary(rows); text != "" && !slices.ContainsFunc(rows, report.Sentence.Doubtful) {
		objects = append(objects, wrapped(caption(text)))
	}
	return objects
}

// card shows what the graph says of a thing. What it is related to can be asked about.
func (p *answerPane) card(c report.Card) fyne.CanvasObject {
	head := newFlow(theme.SizeNameSubHeadingText)
	head.add(c.Name, fyne.TextStyle{Bold: true}, theme.ColorNameForeground)
	if len(c.Kinds) > 0 {
		head.add("· "+present.List(c.Kinds), fyne.TextStyle{}, colorMuted)
	}
	box := container.New(stacked, container.New(textMargins, head))
	if len(c.Names) > 0 {
		box.Add(wrapped(caption("Also called " + present.List(c.Names))))
	}
	if c.Key != "" {
		box.Add(wrapped(caption(c.Key)))
	}
	if c.Text != "" {
		box.Add(wrapped(widget.NewLabel(c.Text)))
	}
	box.Add(wrapped(caption(c.Heading)))
	for i, row := range c.Rows {
		if i == maxAnswers {
			box.Add(caption("and " + present.Plural(len(c.Rows)-i, "more relation", "more relations")))
			break
		}
		f := newFlow(theme.SizeNameText)
		f.add(row.Title(), fyne.TextStyle{}, colorMuted)
		for _, t := range row.Things {
			if t.Asks == "" {
				f.add(t.Name, fyne.TextStyle{}, theme.ColorNameForeground)
			} else {
				l := newChip(present.Shorten(t.Name, shownLink), func() { p.do.ask(t.Asks) })
				l.link, l.hint, l.onHint = true, t.Asks, p.do.hint
				f.addObject(l)
			}
			if t.Said != "" {
				f.add("("+t.Said+")", fyne.TextStyle{}, colorMuted)
			}
			p.addChips(f, t.Citations)
		}
		if row.More > 0 {
			f.add("and "+present.Count(row.More)+" more", fyne.TextStyle{}, colorMuted)
		}
		box.Add(container.New(textMargins, f))
	}
	return newQuote(box)
}

// textMargins set a flow where the text of a label begins.
var textMargins = margins{TopPadding: 6, RightPadding: 7, BottomPadding: 6, LeftPadding: 7}

// sentence is one sentence with its citations. What the check found against it
// stands below; where nothing bears it out it is struck.
func (p *answerPane) sentence(s report.Sentence) fyne.CanvasObject {
	f := newFlow(sizeBody)
	switch {
	case s.Struck:
		f.addStruck(s.Text, colorMuted)
	case s.Note:
		f.add(s.Text, fyne.TextStyle{}, colorMuted)
	default:
		f.add(s.Text, fyne.TextStyle{}, theme.ColorNameForeground)
	}
	p.addChips(f, s.Citations)
	onCopy := func() { p.do.copyText(s.Copied()) }
	if !s.Doubtful() {
		return newCopyable(f, onCopy)
	}
	mark, color := "! ", theme.ColorNameWarning
	if s.Struck {
		mark, color = "✗ ", theme.ColorNameError
	}
	why := newFlow(theme.SizeNameCaptionText)
	why.add(mark+present.Sentence(s.Why()), fyne.TextStyle{}, color)
	return newCopyable(container.NewVBox(f, container.New(margins{LeftPadding: 14, BottomPadding: 3}, why)), onCopy)
}

// addChips appends citations to a sentence.
func (p *answerPane) addChips(f *flow, citations []int) {
	for i, n := range citations {
		if i == maxChips {
			f.add(fmt.Sprintf("+%d", len(citations)-i), fyne.TextStyle{}, colorMuted)
			return
		}
		c := newChip(present.Tag(n), func() { p.do.cite(n) })
		c.onHover = func(in bool) { p.do.light(n, in) }
		f.addObject(c)
	}
}

// madeBy says below the headline whose answer this is where a model had to do
// with it, why one that was asked did not do its part, and whether the check
// found something against the sentences.
func (p *answerPane) madeBy(run *engine.Run) []fyne.CanvasObject {
	box := container.New(stacked)
	if by := present.MadeBy(run); by != "" {
		box.Add(wrapped(caption(by + ".")))
	}
	warn := func(text string) {
		box.Add(warning(caption(text)))
	}
	for _, m := range present.Makers(run) {
		if m.Instead != "" {
			warn(m.Instead)
		}
	}
	rows := present.Sentences(run.Answer)
	if text := present.CheckSummary(rows); text != "" && slices.ContainsFunc(rows, report.Sentence.Doubtful) {
		warn(text)
	}
	if len(box.Objects) == 0 {
		return nil
	}
	return []fyne.CanvasObject{box}
}

// makers says who read the question and who worded the answer, where a model
// had to do with it, and what that took.
func (p *answerPane) makers(run *engine.Run) []fyne.CanvasObject {
	makers := present.Makers(run)
	if len(makers) == 0 {
		return nil
	}
	box := container.New(stacked)
	for _, m := range makers {
		f := newFlow(theme.SizeNameCaptionText)
		f.add(m.Part, fyne.TextStyle{}, colorMuted)
		f.add(m.Who, fyne.TextStyle{Bold: true}, theme.ColorNameForeground)
		if m.Cost != "" {
			f.add("· "+m.Cost, fyne.TextStyle{}, colorMuted)
		}
		box.Add(container.New(margins{TopPadding: 5, RightPadding: 7, BottomPadding: 5, LeftPadding: 7}, f))
	}
	if n := len(run.Exchanges); n > 0 {
		see := caption("▸ What the model was asked (" + present.Plural(n, "request", "requests") + ")")
		box.Add(newPressable(see, "", p.do.prompts).hinted(0, "Show the exact prompts and replies (Ctrl+P)", p.do.hint))
	}
	return []fyne.CanvasObject{newQuote(box)}
}

// answers lists the answering entities where the sentences cannot name all.
func (p *answerPane) answers(g *kg.Graph, run *engine.Run) []fyne.CanvasObject {
	rows := present.AnswerRows(g, run)
	ranked := run.Method.Seeded && len(rows) > 0
	open := run.Partial()
	if len(rows) < 2 && !ranked && !open {
		return nil
	}
	box := container.New(stacked)
	if ranked {
		if t := present.ScaleTitle(run); t != "" {
			if run.Method.Trained {
				t += ". The network learned from examples, so this is an estimate. The paths show what each answer is based on"
			}
			box.Add(wrapped(caption(t + ".")))
		}
	}
	for i, r := range rows {
		if i == maxAnswers {
			box.Add(wrapped(caption(present.MoreAnswers(run, i))))
			break
		}
		f := newFlow(theme.SizeNameText)
		f.add(r.Label, fyne.TextStyle{Bold: true}, theme.ColorNameForeground)
		if r.Detail != "" {
			f.add("· "+r.Detail, fyne.TextStyle{}, colorMuted)
		}
		if r.Bar > 0 {
			f.addObject(container.New(fixedWidth(levelWidth), container.New(fixedHeight(14), newLevel(r.Bar))))
		}
		text := present.ScoreText(r.Score)
		switch {
		case r.Score.Scale == evidence.Distance:
			if text != "exact" {
				f.add("· distance "+text, fyne.TextStyle{}, colorMuted)
			}
		case text != "" && !open: // the ticks below say it
			f.add("· "+text, fyne.TextStyle{}, colorMuted)
		}
		addLevel(f, r.Score)
		p.addChips(f, r.Citations)
		box.Add(newPressable(f, "", func() { p.do.answer(r.Entity) }).hinted(7, "Show how "+r.Label+" was found", p.do.hint))
		if open {
			box.Add(p.conditions(r.Conditions))
		}
		if len(r.Why) > 0 {
			why := container.New(margins{LeftPadding: 14}, wrapped(caption(strings.Join(r.Why, "\n"))))
			why.Hide()
			box.Add(why)
			f.addObject(newChip("why", func() { show(why, !why.Visible()) }))
		}
	}
	return []fyne.CanvasObject{newQuote(box)}
}

// timelineText is how much of a row of a timeline its text has.
const timelineText = 0.64

// timeline shows when what statements say was so, a bar each on one axis.
func (p *answerPane) timeline(tl report.Timeline) []fyne.CanvasObject {
	if len(tl.Rows) == 0 {
		return nil
	}
	box := container.New(stacked, container.New(beside(timelineText), bold("Timeline"), container.NewBorder(nil, nil, caption(tl.First), caption(tl.Last))))
	for i, row := range tl.Rows {
		if i == maxAnswers {
			box.Add(caption("and " + present.Plural(len(tl.Rows)-i, "more time", "more times")))
			break
		}
		f := newFlow(theme.SizeNameText)
		f.add(row.Label, fyne.TextStyle{Bold: true}, theme.ColorNameForeground)
		f.add("· "+row.When, fyne.TextStyle{}, colorMuted)
		p.addChips(f, row.Citations)
		box.Add(newPressable(container.New(beside(timelineText), f, newSpan(row.From, row.Until)), "", func() {
			if len(row.Citations) > 0 {
				p.do.cite(row.Citations[0])
			}
		}).hinted(7, row.Label+", "+row.When, p.do.hint))
	}
	return []fyne.CanvasObject{newQuote(box)}
}

// excluded lists what triples keep from being an answer, struck through.
func (p *answerPane) excluded(x report.Excluded) []fyne.CanvasObject {
	all := len(x.Things) + x.More
	if all == 0 {
		return nil
	}
	box := container.New(stacked, caption(present.Plural(all, "entity", "entities")+" left out"))
	for _, left := range x.Things[:min(len(x.Things), maxAnswers)] {
		f := newFlow(theme.SizeNameText)
		f.addStruck(left.Name, colorMuted)
		f.add("· "+left.Why, fyne.TextStyle{}, colorMuted)
		box.Add(f)
	}
	return []fyne.CanvasObject{newQuote(box)}
}

// addLevel appends the bar of a probability.
func addLevel(f *flow, s evidence.Score) {
	if s.Scale == evidence.Probability {
		f.addObject(container.New(fixedWidth(levelWidth), container.New(fixedHeight(14), newLevel(s.Value))))
	}
}

// readings offers the ways to understand the question: all of them where the
// planner is torn or follows none, else the one that was followed, with the others on demand.
func (p *answerPane) readings(g *kg.Graph, run *engine.Run) fyne.CanvasObject {
	rows := present.Readings(g, run)
	if len(rows) == 0 {
		return container.NewVBox()
	}
	ambiguous := run.Plan.Doubt == plan.Ambiguous || !slices.ContainsFunc(rows, func(r present.ReadingRow) bool { return r.Chosen })
	title := "Read as"
	if ambiguous {
		title = "Did you mean"
	}
	box := container.New(stacked, bold(title))
	var others []fyne.CanvasObject
	for _, r := range rows {
		press := p.reading(r)
		box.Add(press)
		if !r.Chosen && !ambiguous {
			press.Hide()
			others = append(others, press)
		}
	}
	if len(others) > 0 {
		box.Add(p.unfold(box, others))
	}
	return newQuote(box)
}

// unfold is a line that shows the other readings when it is pressed.
func (p *answerPane) unfold(box *fyne.Container, others []fyne.CanvasObject) fyne.CanvasObject {
	var more *pressable
	l := caption("▸ " + present.Plural(len(others), "other reading", "other readings"))
	more = newPressable(l, "", func() {
		for _, o := range others {
			o.Show()
		}
		more.Hide()
		box.Refresh()
		p.box.Refresh()
	}).hinted(0, "Show the other ways to read the question", p.do.hint)
	return more
}

// reading is one way to understand the question, to choose.
func (p *answerPane) reading(r present.ReadingRow) *pressable {
	f := newFlow(theme.SizeNameText)
	mark := "○"
	if r.Chosen {
		mark = "●"
	}
	f.add(mark+" "+r.Text, fyne.TextStyle{}, theme.ColorNameForeground)
	if text := present.ScoreText(r.Score); text != "" {
		f.add("· "+text, fyne.TextStyle{}, colorMuted)
		addLevel(f, r.Score)
	}
	if r.Which != "" {
		f.add("("+r.Which+")", fyne.TextStyle{Bold: true}, theme.ColorNameForeground)
	}
	if len(r.Unused) > 0 {
		f.add("(ignored: "+present.List(r.Unused)+")", fyne.TextStyle{Italic: true}, theme.ColorNameWarning)
	}
	press := newPressable(f, "", func() {
		if !r.Chosen {
			p.do.reading(r.Index)
		}
	})
	press.inset, press.onHint, press.hint = 7, p.do.hint, "Use this reading instead"
	if r.Chosen {
		press.hint = "This reading was used"
	}
	return press
}
