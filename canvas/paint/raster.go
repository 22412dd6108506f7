package paint

import (
	"encoding/binary"
	"image"
	"math"

	"golang.org/x/image/vector"

	"cairn/internal/guard"
)

const (
	badShape = "paint: a path has 1+3n points, a polygon at least 3"
	// flatness bounds the length of the straight pieces of a curve, in pixels:
	// at the curvatures that occur the error stays below a tenth of a pixel.
	flatness = 7
	// hairline is the width up to which lines are painted by hair.
	hairline = 1.25
)

// Raster paints the list onto img, which must be at least W×H and is repainted
// wholly. The picture is cut into as many horizontal bands as there are workers;
// the pixels do not depend on their number.
func (l *List) Raster(img *image.RGBA, workers int) {
	l.place()
	height := img.Rect.Dy()
	workers = max(1, min(workers, height))
	if workers == 1 {
		l.band(&band{img: img, clip: img.Rect})
		return
	}
	var wg guard.Group
	for i := range workers {
		clip := image.Rect(img.Rect.Min.X, img.Rect.Min.Y+height*i/workers, img.Rect.Max.X, img.Rect.Min.Y+height*(i+1)/workers)
		wg.Go(func() { l.band(&band{img: img, clip: clip}) })
	}
	wg.Wait()
}

// band is the part of the image that one goroutine paints.
type band struct {
	img  *image.RGBA
	clip image.Rectangle
	flat []Point // scratch of flatten
	z    vector.Rasterizer
}

func (l *List) band(b *band) {
	b.fill(l.Background)
	x0, y0 := float32(b.clip.Min.X), float32(b.clip.Min.Y)
	x1, y1 := float32(b.clip.Max.X), float32(b.clip.Max.Y)
	for i := range l.Items {
		it := &l.Items[i]
		if it.maxY < y0 || it.minY > y1 || it.maxX < x0 || it.minX > x1 {
			continue
		}
		switch it.Kind {
		case Line:
			if it.Width <= hairline {
				b.hair(it.P[0], it.P[1], it.Width, it.Fill)
			} else {
				b.segment(it.P[0], it.P[1], it.Width, it.Fill, joint{}, joint{})
			}
		case Path:
			b.flatten(l.points(it))
			if len(b.flat) == 2 && it.Width <= hairline && it.Dash == 0 {
				b.hair(b.flat[0], b.flat[1], it.Width, it.Fill)
			} else {
				b.polyline(it.Width, it.Dash, it.Fill)
			}
		case Polygon:
			b.polygon(it, l.points(it))
		case RoundRect:
			b.roundRect(it)
		case Disc: // a box that is all corners
			box, r := *it, it.Radius
			box.P = [2]Point{{it.P[0].X - r, it.P[0].Y - r}, {2 * r, 2 * r}}
			b.roundRect(&box)
		case Text:
			b.text(l.glyphs[it.first:it.first+it.n], it.Fill)
		case Begin, End:
		}
	}
}

func (b *band) fill(c Color) {
	if b.clip.Empty() {
		return
	}
	n := 4 * b.clip.Dx()
	o := b.img.PixOffset(b.clip.Min.X, b.clip.Min.Y)
	row := b.img.Pix[o : o+n]
	for i := 0; i < n; i += 4 {
		row[i], row[i+1], row[i+2], row[i+3] = c.R, c.G, c.B, 255
	}
	for y := b.clip.Min.Y + 1; y < b.clip.Max.Y; y++ {
		o = b.img.PixOffset(b.clip.Min.X, y)
		copy(b.img.Pix[o:o+n], row)
	}
}

// ink is a colour as its four bytes lie in memory, opaque.
type ink uint32

func inkOf(c Color) ink { return ink(uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | 0xff000000) }

// blend lays c over the pixel with the opacity a (0..255, more counts as 255).
// Red and blue, then green and alpha, share a multiplication; the result is
// within one step of the exact one.
func blend(pix []uint8, c ink, a uint32) {
	a = min(a+a>>7, 256)
	p := binary.LittleEndian.Uint32(pix)
	rb := ((p&0x00ff00ff)*(256-a) + (uint32(c)&0x00ff00ff)*a) >> 8 & 0x00ff00ff
	ga := ((p>>8&0x00ff00ff)*(256-a) + (uint32(c)>>8&0x00ff00ff)*a) & 0xff00ff00
	binary.LittleEndian.PutUint32(pix, rb|ga)
}

func floor(v float32) int { return int(math.Floor(float64(v))) }
func ceil(v float32) int  { return int(math.Ceil(float64(v))) }
func sqrt(v float32) float32 {
	return float32(math.Sqrt(float64(v)))
}

// span clips a range of rows or columns.
func span(lo, hi float32, from, to int) (int, int) {
	return min(max(floor(lo), from), to), min(max(ceil(hi), from), to)
}

// hair paints a line about a pixel thick after Wu (1991): at each step along the
// longer axis the two nearest pixels share the ink. It is several times faster
// than segment, which matters for pictures with ten thousand edges.
func (b *band) hair(p, q Point, width float32, c Color) {
	dx, dy := q.X-p.X, q.Y-p.Y
	steep := max(dy, -dy) > max(dx, -dx)
	if steep {
		p, q = Point{p.Y, p.X}, Point{q.Y, q.X}
		dx, dy = dy, dx
	}
	if dx < 0 {
		p, q = q, p
		dx, dy = -dx, -dy
	}
	if dx < 1e-3 {
		return
	}
	slope := dy / dx
	paint := inkOf(c)
	// u runs along the longer axis, v across; limits as seen by them.
	u0, u1, v0, v1 := b.clip.Min.X, b.clip.Max.X, b.clip.Min.Y, b.clip.Max.Y
	alongStep, acrossStep := 4, b.img.Stride
	if steep {
		u0, u1, v0, v1 = v0, v1, u0, u1
		alongStep, acrossStep = acrossStep, alongStep
	}
	// Pixels whose middles lie between the ends, and within the band.
	from, to := max(p.X, float32(u0)), min(q.X, float32(u1))
	if slope > 1e-6 || slope < -1e-6 {
		a, z := p.X+(float32(v0)-1-p.Y)/slope, p.X+(float32(v1)+1-p.Y)/slope
		from, to = max(from, min(a, z)), min(to, max(a, z))
	}
	first, last := max(floor(from+0.5), u0), min(floor(to+0.5), u1)
	if first >= last {
		return
	}
	opacity := uint32(width*sqrt(1+slope*slope)*float32(c.A) + 0.5)
	// Heights of pixel middles in 16.16 fixed point, counted from the start of the
	// line, so that they are the same in each band.
	begin := floor(p.X)
	step := int64(slope * 65536)
	v := int64((p.Y+slope*(float32(begin)+0.5-p.X)-0.5)*65536) + step*int64(first-begin)
	o := b.img.PixOffset(b.clip.Min.X, b.clip.Min.Y) + (first-u0)*alongStep - v0*acrossStep
	for range last - first {
		row, share := int(v>>16), uint32(v>>8)&255
		at := o + row*acrossStep
		if row >= v0 && row < v1 {
			blend(b.img.Pix[at:], paint, opacity*(256-share)>>8)
		}
		if row+1 >= v0 && row+1 < v1 {
			at += acrossStep
			blend(b.img.Pix[at:], paint, opacity*share>>8)
		}
		v += step
		o += alongStep
	}
}

// joint is where two pieces of a curve meet: a point and the direction half way
// between theirs. Each pixel belongs to the piece on its side of the joint, so
// that there is neither seam nor overlap.
type joint struct {
	at, along Point
	joined    bool
}

// segment paints a straight line of the width given. An end without a joint is
// cut off flat.
func (b *band) segment(p, q Point, width float32, c Color, start, end joint) {
	dx, dy := q.X-p.X, q.Y-p.Y
	length := sqrt(dx*dx + dy*dy)
	if length < 1e-3 {
		return
	}
	dx, dy = dx/length, dy/length
	nx, ny := -dy, dx
	half, opacity, paint := width/2, float32(c.A), inkOf(c)
	if width < 1 { // thinner than a pixel: paler instead
		half, opacity = 0.5, opacity*width
	}
	reach := half + 0.5
	y0, y1 := span(min(p.Y, q.Y)-reach, max(p.Y, q.Y)+reach, b.clip.Min.Y, b.clip.Max.Y)
	left, right := max(min(p.X, q.X)-reach, float32(b.clip.Min.X)), min(max(p.X, q.X)+reach, float32(b.clip.Max.X))
	level := nx < 1e-4 && nx > -1e-4
	inverse := float32(0)
	if !level {
		inverse = 1 / nx
	}
	// Beyond margin from both ends neither caps nor joints matter.
	margin := reach + 1
	for y := y0; y < y1; y++ {
		fy := float32(y) + 0.5 - p.Y
		across := fy * ny
		from, to := left, right
		if !level {
			u, v := p.X-(reach+across)*inverse, p.X+(reach-across)*inverse
			from, to = max(from, min(u, v)), min(to, max(u, v))
		} else if across > reach || across < -reach {
			continue
		}
		if from >= to {
			continue
		}
		x0, x1 := int(from), min(int(to)+1, b.clip.Max.X)
		fx := float32(x0) + 0.5 - p.X
		d := fx*nx + across
		t := fx*dx + fy*dy
		o := b.img.PixOffset(x0, y)
		tEnd := t + float32(x1-x0)*dx
		if min(t, tEnd) > margin && max(t, tEnd) < length-margin {
			pix := b.img.Pix[o : o+4*(x1-x0)]
			for len(pix) >= 4 {
				if cover := min(reach-max(d, -d), 1); cover > 0 {
					blend(pix, paint, uint32(cover*opacity+0.5))
				}
				pix = pix[4:]
				d += nx
			}
			continue
		}
		for x := x0; x < x1; x++ {
			cover := min(reach-max(d, -d), 1) * ends(&start, &end, float32(x)+0.5, float32(y)+0.5, t, length)
			if cover > 0 {
				blend(b.img.Pix[o:], paint, uint32(cover*opacity+0.5))
			}
			o += 4
			d += nx
			t += dx
		}
	}
}

// ends is the share of a pixel that the ends of a segment leave.
func ends(start, end *joint, x, y, t, length float32) float32 {
	cover := float32(1)
	if !start.joined {
		cover = min(max(t+0.5, 0), 1)
	} else if (x-start.at.X)*start.along.X+(y-start.at.Y)*start.along.Y < 0 {
		return 0
	}
	if !end.joined {
		return cover * min(max(length-t+0.5, 0), 1)
	}
	if (x-end.at.X)*end.along.X+(y-end.at.Y)*end.along.Y >= 0 {
		return 0
	}
	return cover
}

// flatten turns cubic pieces into short straight ones in b.flat.
func (b *band) flatten(points []Point) {
	b.flat = append(b.flat[:0], points[0])
	for i := 1; i+2 < len(points); i += 3 {
		p0, p1, p2, p3 := points[i-1], points[i], points[i+1], points[i+2]
		n := 1 + int((Gap(p0, p1)+Gap(p1, p2)+Gap(p2, p3))/flatness)
		n = min(n, 64)
		if straight(p0, p1, p2, p3) {
			n = 1
		}
		for k := 1; k <= n; k++ {
			b.flat = append(b.flat, Bezier(p0, p1, p2, p3, float32(k)/float32(n)))
		}
	}
}

// Gap is the distance between two points.
func Gap(p, q Point) float32 { return sqrt((q.X-p.X)*(q.X-p.X) + (q.Y-p.Y)*(q.Y-p.Y)) }

// straight tells whether both control points lie on the chord.
func straight(p0, p1, p2, p3 Point) bool {
	dx, dy := p3.X-p0.X, p3.Y-p0.Y
	tolerance := 0.1 * (max(dx, -dx) + max(dy, -dy))
	a := (p1.X-p0.X)*dy - (p1.Y-p0.Y)*dx
	c := (p2.X-p0.X)*dy - (p2.Y-p0.Y)*dx
	return max(a, -a) <= tolerance && max(c, -c) <= tolerance
}

// Bezier returns the point of the cubic curve at t in [0,1].
func Bezier(p0, p1, p2, p3 Point, t float32) Point {
	u := 1 - t
	a, c, d, e := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return Point{a*p0.X + c*p1.X + d*p2.X + e*p3.X, a*p0.Y + c*p1.Y + d*p2.Y + e*p3.Y}
}

// polyline strokes b.flat.
func (b *band) polyline(width, dash float32, c Color) {
	last := len(b.flat) - 1
	if dash <= 0 {
		start := joint{}
		for i := range last {
			end := joint{}
			if i+1 < last {
				end = joint{b.flat[i+1], halfway(b.flat[i], b.flat[i+1], b.flat[i+2]), true}
			}
			b.segment(b.flat[i], b.flat[i+1], width, c, start, end)
			start = end
		}
		return
	}
	on, left := true, dash
	for i := range last {
		p, q := b.flat[i], b.flat[i+1]
		length := Gap(p, q)
		for done := float32(0); done < length; {
			step := min(left, length-done)
			if on {
				b.segment(Between(p, q, done/length), Between(p, q, (done+step)/length), width, c, joint{}, joint{})
			}
			done += step
			left -= step
			if left <= 1e-3 {
				on, left = !on, dash
			}
		}
	}
}

// halfway is the direction between those of p–q and q–r.
func halfway(p, q, r Point) Point {
	a, b := max(Gap(p, q), 1e-6), max(Gap(q, r), 1e-6)
	return Point{(q.X-p.X)/a + (r.X-q.X)/b, (q.Y-p.Y)/a + (r.Y-q.Y)/b}
}

// Between is the point at t in [0,1] on the line from p to q.
func Between(p, q Point, t float32) Point { return Point{p.X + (q.X-p.X)*t, p.Y + (q.Y-p.Y)*t} }

// polygon fills a polygon, by the mask of which it is made.
func (b *band) polygon(it *Item, points []Point) {
	area := image.Rect(floor(it.minX), floor(it.minY), ceil(it.maxX), ceil(it.maxY)).Intersect(b.img.Rect)
	if area.Empty() {
		return
	}
	b.z.Reset(area.Dx(), area.Dy())
	for i, p := range points {
		x, y := p.X-float32(area.Min.X), p.Y-float32(area.Min.Y)
		if i == 0 {
			b.z.MoveTo(x, y)
		} else {
			b.z.LineTo(x, y)
		}
	}
	b.mask(maskOf(&b.z), area.Min.X, area.Min.Y, it.Fill)
}

type coat struct {
	fill, stroke   ink
	fillA, strokeA float32
	stroked, open  bool
}

func coatOf(it *Item) coat {
	return coat{
		fill: inkOf(it.Fill), stroke: inkOf(it.Stroke), fillA: float32(it.Fill.A), strokeA: float32(it.Stroke.A),
		stroked: it.Width > 0, open: it.Fill.A == 0,
	}
}

// shade paints one pixel of a filled and stroked shape: outer and inner are its
// signed distances from the shape's edge and from the stroke's inner edge.
func (c *coat) shade(pix []uint8, outer, inner float32) {
	whole := min(max(0.5-outer, 0), 1)
	if !c.stroked {
		blend(pix, c.fill, uint32(whole*c.fillA+0.5))
		return
	}
	inside := min(max(0.5-inner, 0), 1)
	if c.open {
		blend(pix, c.stroke, uint32((whole-inside)*c.strokeA+0.5))
		return
	}
	if inside < 1 {
		blend(pix, c.stroke, uint32(whole*c.strokeA+0.5))
	}
	blend(pix, c.fill, uint32(inside*c.fillA+0.5))
}

// roundRect fills a box with rounded corners and strokes it inside.
func (b *band) roundRect(it *Item) {
	x, y, w, h := it.P[0].X, it.P[0].Y, it.P[1].X, it.P[1].Y
	if it.Dash > 0 && it.Width > 0 {
		plain := *it
		plain.Width = 0
		if it.Fill.A > 0 {
			b.roundRect(&plain)
		}
		b.outline(it)
		return
	}
	paint, radius := coatOf(it), it.Radius
	cx, cy := x+w/2, y+h/2
	hx, hy := w/2-radius, h/2-radius
	y0, y1 := span(y-0.5, y+h+0.5, b.clip.Min.Y, b.clip.Max.Y)
	x0, x1 := span(x-0.5, x+w+0.5, b.clip.Min.X, b.clip.Max.X)
	solid := radius + it.Width + 1 // beyond this from the sides, only fill
	for py := y0; py < y1; py++ {
		qy := float32(py) + 0.5 - cy
		qy = max(qy, -qy) - hy
		inner := qy+hy < h/2-it.Width-1
		o := b.img.PixOffset(x0, py)
		for px := x0; px < x1; px++ {
			fx := float32(px) + 0.5
			if inner && fx > x+solid && fx < x+w-solid {
				// The middle of a row: one colour up to the right side.
				end := min(x1, floor(x+w-solid))
				for ; px < end && !paint.open; px++ {
					blend(b.img.Pix[o:], paint.fill, uint32(it.Fill.A))
					o += 4
				}
				if paint.open && end > px {
					o += 4 * (end - px)
					px = end
				}
				if px >= x1 {
					break
				}
				fx = float32(px) + 0.5
			}
			qx := fx - cx
			qx = max(qx, -qx) - hx
			d := max(qx, qy)
			if qx > 0 && qy > 0 {
				d = sqrt(qx*qx + qy*qy)
			}
			if d < radius+0.5 { // not beyond a corner
				paint.shade(b.img.Pix[o:], d-radius, d-radius+it.Width)
			}
			o += 4
		}
	}
}

// kappa places the control points of a quarter circle.
const kappa = 0.5523

// outline strokes a rounded box with dashes.
func (b *band) outline(it *Item) {
	m := it.Width / 2
	x0, y0 := it.P[0].X+m, it.P[0].Y+m
	x1, y1 := it.P[0].X+it.P[1].X-m, it.P[0].Y+it.P[1].Y-m
	r := max(it.Radius-m, 0)
	k := r * (1 - kappa)
	side := func(p, q Point) []Point { return []Point{Between(p, q, 1.0/3), Between(p, q, 2.0/3), q} }
	pts := []Point{{x0 + r, y0}}
	pts = append(pts, side(Point{x0 + r, y0}, Point{x1 - r, y0})...)
	pts = append(pts, Point{x1 - k, y0}, Point{x1, y0 + k}, Point{x1, y0 + r})
	pts = append(pts, side(Point{x1, y0 + r}, Point{x1, y1 - r})...)
	pts = append(pts, Point{x1, y1 - k}, Point{x1 - k, y1}, Point{x1 - r, y1})
	pts = append(pts, side(Point{x1 - r, y1}, Point{x0 + r, y1})...)
	pts = append(pts, Point{x0 + k, y1}, Point{x0, y1 - k}, Point{x0, y1 - r})
	pts = append(pts, side(Point{x0, y1 - r}, Point{x0, y0 + r})...)
	pts = append(pts, Point{x0, y0 + k}, Point{x0 + k, y0}, Point{x0 + r, y0})
	b.flatten(pts)
	// A whole number of dashes closes the outline evenly.
	total := float32(0)
	for i := range len(b.flat) - 1 {
		total += Gap(b.flat[i], b.flat[i+1])
	}
	pairs := max(1, math.Round(float64(total/(2*it.Dash))))
	b.polyline(it.Width, total/float32(2*pairs), it.Stroke)
}

// text lays glyphs over the image.
func (b *band) text(glyphs []placed, c Color) {
	for _, g := range glyphs {
		b.mask(g.mask, g.x, g.y, c)
	}
}

// mask lays ink over the image where a mask that begins at x, y has it.
func (b *band) mask(m *mask, x, y int, c Color) {
	paint := inkOf(c)
	y0, y1 := max(y, b.clip.Min.Y), min(y+m.h, b.clip.Max.Y)
	x0, x1 := max(x, b.clip.Min.X), min(x+m.w, b.clip.Max.X)
	if x0 >= x1 {
		return
	}
	for row := y0; row < y1; row++ {
		o := b.img.PixOffset(x0, row)
		for _, a := range m.alpha[(row-y)*m.w+x0-x : (row-y)*m.w+x1-x] {
			if a != 0 {
				blend(b.img.Pix[o:], paint, uint32(a)*uint32(c.A)/255)
			}
			o += 4
		}
	}
}
