"""Golds of our own in the notations of public data sets, for tests without those sets."""

from __future__ import annotations

from typing import Final

GOLDS: Final = (
    r"$\frac{19}{7}$", r"$-\frac53$", r"$4\frac{2}{9}$", r"$12\sqrt{5}-7$", r"$0.0625$", r"3,417", r"$7.25 \times 10^{-6}$",
    r"$\{-4, 1, 9\}$", r"$(2, -11)$", r"$(3,8),(5,-2)$", r"-6, 13", r"$\left[-\frac32, 8\right)$", r"$x \geq -14$",
    r"$(-\infty, 3) \cup (7, \infty)$", r"$\mathbb{R} \setminus \{6\}$", r"$t = 41$", r"$g(u) = 3u^2 - 5$", r"$p=17, q=-2$",
    r"$x=\frac{\pi}{7}+k\pi$", r"$\pm\frac{2}{3}$", r"$5 \pm 2\sqrt{6}$", r"$23 \text{ cm}^2$", r"$64^\circ$", r"$38\%$",
    r"\$47.50", r"$14 \mathrm{~km} / \mathrm{h}$", r"$5:9$", r"$342_7$", r"$y = -\frac{2}{3}x + 8$", r"$r\sin\theta=5$",
    r"$\left[\begin{array}{rr}2 & -3 \\ 7 & 1\end{array}\right]$", r"$\begin{pmatrix} 4 \\ -9 \\ 2 \end{pmatrix}$",
    r"$a_n = 5n - 3$",
    r"$\frac{x^2}{9}-\frac{y^2}{16}=1$", r"$-e^{-3 t}+C$", r"$3 \text{ apples and } 8 \text{ pears}$", r"$(a, b) = (6, 15)$",
    r"$\ln \left(\frac{7}{4}\right) \approx 0.5596$", r"$x=2+9=11$", r"$\binom{9}{4}$", r"$\{x \mid -3 < x \leq 12\}$",
    r"10:45 pm",
)  # fmt: skip
