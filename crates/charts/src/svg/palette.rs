//! Colours are chosen by measuring: told apart by people who see no red, no green or no blue, strong enough on their ground, and
//! apart from their neighbours in grey.

use super::pen::{DARK, LIGHT};

type Rgb = [f64; 3];

fn linear(hex: &str) -> Rgb {
    std::array::from_fn(|at| {
        let byte = u8::from_str_radix(&hex[1 + at * 2..3 + at * 2], 16).unwrap();
        let share = f64::from(byte) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    })
}

/// How an eye sees a colour: all, without red, without green, without blue (Machado, Oliveira and Fernandes, 2009).
const EYES: [[Rgb; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
];

fn seen(colour: Rgb, eye: &[Rgb; 3]) -> Rgb {
    std::array::from_fn(|at| eye[at].iter().zip(colour).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0))
}

fn lab([red, green, blue]: Rgb) -> Rgb {
    let curve = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let x = curve((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
    let y = curve(0.2126729 * red + 0.7151522 * green + 0.072175 * blue);
    let z = curve((0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn distance(a: Rgb, b: Rgb) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn contrast(a: Rgb, b: Rgb) -> f64 {
    let light = |[red, green, blue]: Rgb| 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    let (a, b) = (light(a), light(b));
    a.max(b) / a.min(b)
}

#[test]
fn every_eye_tells_all_colours_apart() {
    for palette in [LIGHT, DARK] {
        for eye in &EYES {
            let seen: Vec<Rgb> = palette.iter().map(|hex| lab(seen(linear(hex), eye))).collect();
            for (at, one) in seen.iter().enumerate() {
                for other in &seen[at + 1..] {
                    assert!(distance(*one, *other) >= 20.0, "{palette:?}: {one:?} {other:?}");
                }
            }
        }
    }
}

#[test]
fn every_colour_stands_out_from_its_ground() {
    for (palette, ground) in [(LIGHT, "#ffffff"), (DARK, "#16181b")] {
        assert!(palette.iter().all(|hex| contrast(linear(hex), linear(ground)) >= 3.0), "{palette:?}");
    }
}

#[test]
fn neighbours_differ_in_grey() {
    for palette in [LIGHT, DARK] {
        let greys: Vec<f64> = palette.iter().map(|hex| lab(linear(hex))[0]).collect();
        assert!(greys.windows(2).all(|two| (two[0] - two[1]).abs() >= 7.0), "{palette:?} {greys:?}");
    }
}
